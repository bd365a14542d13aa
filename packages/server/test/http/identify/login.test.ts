import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import {
  type AuthOptions,
  type AuthUser,
  RequestRefused,
  type SettingsInput,
} from '../../../src/index.ts'
import { callerOf, embed, SIGNUP } from '../../support/embed.ts'
import { serving } from '../../support/hosts.ts'
import { claimsFor, forge } from '../../support/jwt.ts'
import { SECRET_KEY } from '../../support/start-auth.ts'

const API = { api: '/auth/' }
const JWT = { REST_AUTH: { USE_JWT: true, JWT_AUTH_HTTPONLY: false } }

/** A service of a host that speaks Fetch, and a user who has registered. */
async function start(input: SettingsInput = {}, options: AuthOptions = {}) {
  const { auth } = await embed(input, options)
  const send = (path: string, init?: RequestInit) => auth.fetch(requestTo(path, init))
  const browser = callerOf(send, API)
  const { body } = await browser.post('registration/', SIGNUP)
  return { auth, browser, login: body }
}

/** The error of a guard that lets nobody pass. */
async function refusedBy(asking: Promise<AuthUser>): Promise<RequestRefused> {
  const error = await asking.then(
    () => null,
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(RequestRefused)
  return error
}

const requestTo = (path: string, init?: RequestInit) =>
  new Request(`http://localhost:8000${path}`, init)

const asking = (authorization: string, init: RequestInit = {}) =>
  requestTo('/', { ...init, headers: { authorization } })

test('fields and claims of the deployment are there, and belong to the caller', async () => {
  const { auth, login } = await start(
    { ...JWT, USER_FIELDS: { team: { type: 'string', default: 'blue' } } },
    { hooks: { claims: () => ({ roles: ['editor'] }) } },
  )
  const find = () => auth.identify(asking(`Bearer ${login.access}`))
  const user = await find()
  expect(user?.fields).toEqual({ team: 'blue' })
  expect(user?.login.claims).toMatchObject({ roles: ['editor'], user_id: String(user?.pk) })
  // Whatever a host does with it changes nothing for the next request.
  const roles = user?.login.claims?.roles as string[]
  roles.push('admin')
  expect((await find())?.login.claims).toMatchObject({ roles: ['editor'] })
})

test('a token that was made elsewhere belongs to no login, and is never fresh', async () => {
  const { auth, login } = await start(JWT)
  const own = await auth.identify(asking(`Bearer ${login.access}`))
  const token = forge(claimsFor({ clock: { now: Date.now, advance() {} } }, String(own?.pk)))
  const user = await auth.identify(asking(`Bearer ${token}`))
  expect(user?.login).toMatchObject({ id: null, authenticatedAt: null, isFresh: false })
  const refusal = await refusedBy(auth.requireFresh(asking(`Bearer ${token}`)))
  expect(refusal.status).toBe(403)
})

test('where anonymous requests need a CSRF token, one without it is nobody', async () => {
  const REST_AUTH = { ...JWT.REST_AUTH, JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED: true }
  const { auth } = await embed({ REST_AUTH: { ...REST_AUTH, JWT_AUTH_COOKIE: 'access' } })
  const request = () => requestTo('/', { method: 'POST' })
  expect(await auth.identify(request())).toBeNull()
  expect((await refusedBy(auth.requireUser(request()))).status).toBe(403)
})

test('a guard that is given a Request alone throws its refusal', async () => {
  const { auth, login } = await start()
  const good = await auth.requireUser(asking(`Token ${login.key}`))
  expect(good.login.via).toBe('token')
  const refusal = await refusedBy(auth.requireUser(asking(`Token ${'f'.repeat(40)}`)))
  // Each time a new answer: a body can be read only once.
  for (const answer of [refusal.getResponse(), refusal.getResponse()]) {
    expect([answer.status, await answer.json()]).toEqual([401, { detail: 'Invalid token.' }])
    expect(answer.headers.get('www-authenticate')).toBe('Token')
    expect(answer.headers.get('vary')).toBe('Authorization, Cookie')
  }
})

test('a guard words its refusal as a Request asks for it', async () => {
  const { auth } = await embed({ LANGUAGES: ['en', 'de'] })
  const headers = { 'accept-language': 'de', 'x-error-codes': '1' }
  const refusal = await refusedBy(auth.requireUser(requestTo('/', { headers })))
  const answer = refusal.getResponse()
  expect(await answer.json()).toEqual({
    detail: 'Bitte melden Sie sich an.',
    codes: { detail: ['not_authenticated'] },
  })
  expect(answer.headers.get('content-language')).toBe('de')
})

test('asking counts against no limit', async () => {
  const { auth, login } = await start({
    REST_FRAMEWORK: { DEFAULT_THROTTLE_RATES: { auth_service: '3/h' } },
  })
  for (let count = 0; count < 20; count++) {
    expect(await auth.identify(asking(`Token ${login.key}`))).not.toBeNull()
    expect(await auth.identify(asking('Token wrong'))).toBeNull()
  }
  // The registration was the first of three.
  const logIn = async () => {
    const request = requestTo('/auth/login/', { method: 'POST' })
    return (await auth.fetch(request)).status
  }
  expect([await logIn(), await logIn(), await logIn()]).toEqual([400, 400, 429])
})

test('what is no request is an error, and nobody', async () => {
  const { auth } = await embed()
  for (const wrong of [undefined, null, 'Token x', {}, { raw: {} }, { headers: null }]) {
    await expect(auth.identify(wrong as unknown as Request)).rejects.toThrow(TypeError)
  }
  // Hono wraps requests of the platform.
  expect(await auth.identify({ raw: requestTo('/') })).toBeNull()
})

test('two services in one process do not know each other', async () => {
  const [one, other] = [await start(), await start({ SECRET_KEY: SECRET_KEY.toUpperCase() })]
  expect(await one.auth.identify(asking(`Token ${one.login.key}`))).not.toBeNull()
  expect(await other.auth.identify(asking(`Token ${one.login.key}`))).toBeNull()
})

test('a host whose requests have a user already keeps its decorator', async () => {
  const { auth, login } = await start()
  const app = Fastify()
  onTestFinished(() => app.close())
  app.decorateRequest('user', null)
  await app.register(auth.fastify)
  app.addHook('onRequest', auth.withUser)
  app.get('/', async (request) => ({ user: request.getDecorator('user') }))
  const headers = { authorization: `Token ${login.key}` }
  const answer = await app.inject({ url: '/', headers })
  expect(answer.json()).toMatchObject({ user: { username: 'ada' } })
  expect((await app.inject({ url: '/' })).json()).toEqual({ user: null })
})

test('the answer says on what it depends, and keeps what the host says', async () => {
  const { auth } = await start()
  const app = Fastify()
  onTestFinished(() => app.close())
  await app.register(auth.fastify)
  app.addHook('onRequest', (_request, reply, done) => {
    reply
      .header('vary', 'Origin, cookie')
      .header('access-control-allow-origin', 'https://a.example')
    done()
  })
  app.addHook('onRequest', auth.requireUser)
  app.get('/', async () => 'hello')
  const { statusCode, headers } = await app.inject({ url: '/' })
  expect(statusCode).toBe(401)
  expect(headers).toMatchObject({
    vary: 'Origin, cookie, Authorization',
    'access-control-allow-origin': 'https://a.example',
  })
})

test('a host that has answered meanwhile is left alone', async () => {
  const { auth } = await start()
  let passed = 0
  const send = await serving((request, response) => {
    auth.requireUser(request, response, () => {
      passed += 1
    })
    response.end('first')
  })
  expect(await (await send('/')).text()).toBe('first')
  // Long enough for the refusal: it comes after the same lookup, which finds nobody.
  expect(await auth.identify(asking('Token wrong'))).toBeNull()
  expect(passed).toBe(0)
})

test('after the end nobody is asked', async () => {
  const { auth, login } = await start()
  await auth.close()
  await expect(auth.identify(asking(`Token ${login.key}`))).rejects.toThrow()
})

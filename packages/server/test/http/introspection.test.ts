import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../support/start-auth.ts'

const KEY = 'a key for the shop, long enough to be one'.replaceAll(' ', '-')
const DAY = 86_400_000
const INACTIVE = { active: false }

const start = (REST_AUTH: object = {}) => startAuth({ INTROSPECTION_KEY: KEY, REST_AUTH })

const ask = (request: Client, token: unknown, authorization = `Bearer ${KEY}`) =>
  request.post('introspect/', { token } as object, { headers: { authorization } })

const ada = {
  pk: expect.any(Number),
  username: 'ada',
  email: 'ada@example.com',
  first_name: '',
  last_name: '',
}

async function logIn({ request, createUser }: StartedAuth): Promise<Record<string, string>> {
  await createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const reply = await request.post('login/', { username: 'ada', password: PASSWORD })
  return reply.body as Record<string, string>
}

test('a token key is recognised until it is revoked', async () => {
  const auth = await start()
  const { key } = await logIn(auth)
  const answer = { active: true, user: ada, expires_at: null }
  expect(await ask(auth.request, key)).toMatchReply(200, answer)
  await auth.request.post('logout/', {}, { token: key ?? '' })
  expect(await ask(auth.request, key)).toMatchReply(200, INACTIVE)
})

test('an access token is recognised until it expires or its login ends', async () => {
  const auth = await start({ USE_JWT: true })
  const { access, refresh } = await logIn(auth)
  const { body } = await ask(auth.request, access)
  expect(body).toEqual({ active: true, user: ada, expires_at: expect.stringMatching(/Z$/) })
  const lifetime = Date.parse((body as { expires_at: string }).expires_at) - auth.clock.now()
  expect(lifetime).toBe(auth.settings.SIMPLE_JWT.ACCESS_TOKEN_LIFETIME)
  expect(await ask(auth.request, refresh)).toMatchReply(200, INACTIVE)
  await auth.request.post('logout/', { refresh })
  expect(await ask(auth.request, access)).toMatchReply(200, INACTIVE)
})

test('a session id is recognised as long as the session lasts', async () => {
  const auth = await start()
  await auth.createUser({ username: 'ada', email: 'ada@example.com' })
  const browser = await auth.logInBrowser('ada')
  const session = browser.cookie('sessionid')
  expect(await ask(auth.request, session)).toMatchReply(200, {
    active: true,
    user: ada,
    expires_at: new Date(auth.clock.now() + 14 * DAY).toISOString(),
  })
  auth.clock.advance(14 * DAY)
  expect(await ask(auth.request, session)).toMatchReply(200, INACTIVE)
})

test('an inactive user, a made-up token and nonsense get the same answer', async () => {
  const auth = await start()
  const { key } = await logIn(auth)
  const [found] = await auth.administration.named('ada')
  if (found) await auth.administration.deactivate(found.user)
  for (const token of [key, 'f'.repeat(40), 'x', 'a.b.c', ' ']) {
    expect(await ask(auth.request, token)).toMatchReply(200, INACTIVE)
  }
})

test('a kind of credential that is off is not recognised', async () => {
  const auth = await start({ USE_JWT: true, SESSION_LOGIN: false, TOKEN_MODEL: 'none' })
  const { access } = await logIn(auth)
  expect((await ask(auth.request, access)).body).toMatchObject({ active: true })
  expect(await ask(auth.request, 'f'.repeat(40))).toMatchReply(200, INACTIVE)
})

test('a kind of credential that our own endpoints do not accept is not recognised', async () => {
  const auth = await startAuth({
    INTROSPECTION_KEY: KEY,
    REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: ['session'] },
  })
  const { key } = await logIn(auth)
  const browser = await auth.logInBrowser('ada')
  expect((await auth.request.get('user/', { token: key ?? '' })).status).toBe(401)
  expect(await ask(auth.request, key)).toMatchReply(200, INACTIVE)
  const { body } = await ask(auth.request, browser.cookie('sessionid'))
  expect(body).toMatchObject({ active: true })
})

test.each([
  ['', 'Authentication credentials were not provided.'],
  ['Bearer', 'Authentication credentials were not provided.'],
  [`Token ${KEY}`, 'Authentication credentials were not provided.'],
  ['Bearer wrong', 'Invalid introspection key.'],
  [`Bearer ${KEY}x`, 'Invalid introspection key.'],
  [`Bearer ${KEY.toUpperCase()}`, 'Invalid introspection key.'],
])('%j may not ask', async (authorization, detail) => {
  const auth = await start()
  const { key } = await logIn(auth)
  const reply = await ask(auth.request, key, authorization)
  expect(reply).toMatchReply(401, { detail })
})

test('a credential of a user is no key, and the key is no credential', async () => {
  const auth = await start({ USE_JWT: true })
  const { access } = await logIn(auth)
  expect((await ask(auth.request, access, `Bearer ${access}`)).status).toBe(401)
  const headers = { authorization: `Bearer ${KEY}` }
  expect((await auth.request.get('user/', { headers })).status).toBe(401)
})

test('the answer must not be kept, and the token must be sent', async () => {
  const { request } = await start()
  expect((await ask(request, 'x')).headers['cache-control']).toBe('no-store')
  expect(await ask(request, undefined)).toMatchReply(400, { token: ['This field is required.'] })
})

test('without a key there is no such endpoint', async () => {
  const { request } = await startAuth()
  expect((await ask(request, 'x')).status).toBe(404)
})

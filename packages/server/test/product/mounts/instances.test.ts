import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { createAuth, SettingsError } from '../../../src/index.ts'
import { ADA, callerOf, embed, PASSWORD, QUIET, SIGNUP } from '../../support/embed.ts'
import { hosts } from '../../support/hosts.ts'
import { emptyDatabase, newDatabase } from '../../support/new-database.ts'
import { SECRET_KEY } from '../../support/start-auth.ts'

const CREDENTIALS = { ...ADA, password: PASSWORD }
const SETTINGS = {
  SECRET_KEY,
  DATABASE_READ_TIMEOUT: '30s',
  DATABASE_WRITE_TIMEOUT: '30s',
} as const

const shared = () => emptyDatabase(onTestFinished)

test('two services in one process know nothing of each other', async () => {
  const members = await embed({ DATABASE_URL: await shared() })
  const staff = await embed({
    DATABASE_URL: await shared(),
    SECRET_KEY: 'another secret key for tests only, long enough',
    REST_AUTH: { USE_JWT: true, TOKEN_MODEL: null },
    SITE_NAME: 'Staff',
  })
  const app = Fastify()
  await app.register(members.auth.fastify, { prefix: '/members' })
  const v1 = { prefix: '/v1' }
  await app.register(async (inner) => void inner.register(staff.auth.fastify), v1)
  onTestFinished(() => app.close())
  const post = (url: string, payload: object, headers = {}) =>
    app.inject({ method: 'POST', url, payload, headers })

  const registered = await post('/members/registration/', SIGNUP)
  expect(registered.json()).toEqual({ key: expect.any(String) })
  expect((await post('/v1/auth/login/', CREDENTIALS)).statusCode).toBe(400)
  const other = await post('/v1/auth/registration/', SIGNUP)
  expect(other.json()).toMatchObject({ access: expect.any(String), user: { pk: 1 } })

  const user = (url: string, authorization: string) =>
    app.inject({ url, headers: { authorization } }).then(({ statusCode }) => statusCode)
  const { access } = other.json()
  expect(await user('/v1/auth/user/', `Bearer ${access}`)).toBe(200)
  expect(await user('/members/user/', `Bearer ${access}`)).toBe(401)
  expect(await members.link('/confirm/')).toContain('/account/confirm/')
  expect(await staff.link('/confirm/')).toContain('/v1/account/confirm/')
})

test('two services over one database serve the same users, each at its own place', async () => {
  const DATABASE_URL = await shared()
  const first = await embed({ DATABASE_URL })
  const second = await embed({ DATABASE_URL, AUTH_PREFIX: '/staff/' })
  const [host] = hosts.filter(({ name }) => name === 'fetch')
  const here = callerOf((await host?.start(first.auth)) ?? fetch, { api: '/auth/' })
  const there = callerOf((await host?.start(second.auth)) ?? fetch, { api: '/staff/' })
  const { body } = await here.post('registration/', SIGNUP)
  const authorization = { authorization: `Token ${body.key}` }
  expect((await there.get('user/', authorization)).body).toMatchObject(ADA)
  // One of them ends, the other goes on.
  await first.auth.close()
  expect((await there.post('logout/', {}, authorization)).status).toBe(200)
  expect((await there.get('user/', authorization)).status).toBe(401)
})

test('it is closed with its Fastify, and closing again does nothing', async () => {
  const { auth } = await embed()
  const app = Fastify()
  await app.register(auth.fastify)
  const user = () => app.inject('/auth/user/').then(({ statusCode }) => statusCode)
  expect(await user()).toBe(401)
  await app.close()
  await Promise.all([auth.close(), auth.close()])
})

test('what is asked of a closed service is refused as in an outage', async () => {
  const { auth } = await embed()
  const { get, post } = callerOf((path, init) => auth.fetch(new Request(`http://h${path}`, init)), {
    api: '/auth/',
  })
  await post('registration/', SIGNUP)
  await auth.close()
  const { status, headers, body } = await get('user/')
  expect([status, headers.get('retry-after')]).toEqual([503, '5'])
  expect(body).toEqual({ detail: 'Service temporarily unavailable, try again later.' })
})

test('without migrations, a database that is not up to date is refused', async () => {
  const DATABASE_URL = await newDatabase(true)
  const settings = { ...SETTINGS, DATABASE_URL }
  const options = { log: QUIET, migrate: false }
  await expect(createAuth(settings, options)).rejects.toThrow(
    /Migrations are due: 0001-accounts.*latchkey migrate/,
  )
  const migrated = await createAuth(settings, { log: QUIET })
  await migrated.close()
  const auth = await createAuth(settings, options)
  await auth.close()
})

test('all mistakes are listed at once', async () => {
  const wrong = { REST_AUTH: { USE_JWT: 'perhaps' }, PORTS: 1, DATABASE_URL: 'mysql:x' }
  const error = await createAuth(wrong as never).catch((caught) => caught)
  expect(error).toBeInstanceOf(SettingsError)
  expect(error.mistakes).toHaveLength(3)
})

test('a place that cannot be one is refused', async () => {
  const { auth } = await embed()
  const app = Fastify()
  const tenants = app.register(async (inner) => void inner.register(auth.fastify), {
    prefix: '/:tenant',
  })
  await expect(tenants.ready()).rejects.toThrow('/:tenant/auth/')
})

import { expect, test } from 'vitest'
import {
  ADA,
  LIFETIME,
  PASSWORD,
  ROTATING,
  startService,
  withCookies,
} from './support/start-service.ts'

// How a client follows the settings of a service that differ from the usual.

const USER = { username: 'ada', email: 'ada@example.com' }
const REFRESH = 'POST token/refresh/'

test('a key with another name, and the new one after all others were ended', async () => {
  const { newClient } = await startService({ REST_AUTH: { ANSWER_NAMES: { key: 'token' } } })
  const options = { mode: 'token', answerNames: { key: 'token' } } as const
  const { client } = newClient(options)
  const answer = await client.login(ADA)
  expect(answer.key).toMatch(/^[0-9a-f]{40}$/)
  const { key } = await client.sessions.endOthers()
  expect(key).not.toBe(answer.key)
  expect(await client.authorization()).toBe(`Token ${key}`)
  expect(await client.user.get()).toMatchObject(USER)
})

test('tokens with other names, also after a refresh', async () => {
  const { newClient, clock } = await startService({
    ...ROTATING,
    REST_AUTH: {
      USE_JWT: true,
      ANSWER_NAMES: { access: 'access_token', refresh: 'refresh_token', user: 'profile' },
    },
  })
  const answerNames = { access: 'access_token', refresh: 'refresh_token', user: 'profile' }
  const { client, count } = newClient({ mode: 'jwt', answerNames })
  expect(await client.login(ADA)).toMatchObject({
    user: USER,
    access: expect.stringMatching(/^ey/),
  })
  expect(client.state.user).toMatchObject(USER)
  for (const round of [1, 2, 3]) {
    clock.advance(LIFETIME)
    expect(await client.user.get()).toMatchObject(USER)
    expect(count(REFRESH)).toBe(round)
  }
})

test('a name that only logins have, as with dj-rest-auth', async () => {
  const { newClient, clock } = await startService(ROTATING)
  const { client } = newClient({ mode: 'jwt', answerNames: { access: 'access_token' } })
  await client.login(ADA)
  clock.advance(LIFETIME)
  expect(await client.user.get()).toMatchObject(USER)
})

test('another word before the access token', async () => {
  const { newClient } = await startService({
    ...ROTATING,
    SIMPLE_JWT: { AUTH_HEADER_TYPES: ['JWT'] },
  })
  const { client } = newClient({ mode: 'jwt', authHeaderType: 'JWT' })
  await client.login(ADA)
  expect(await client.authorization()).toMatch(/^JWT ey/)
  expect(await client.user.get()).toMatchObject(USER)
})

test.each([
  ['JWT_AUTH_COOKIE', { JWT_AUTH_COOKIE: 'access' }],
  ['JWT_AUTH_REFRESH_COOKIE', { JWT_AUTH_REFRESH_COOKIE: 'refresh' }],
  [
    'JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED',
    { JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED: true },
  ],
])('%s alone: the client refreshes, and a logout ends the login', async (_, cookies) => {
  const { newClient, clock } = await startService({
    ...ROTATING,
    REST_AUTH: { USE_JWT: true, ...cookies },
  })
  const fetch = withCookies(globalThis.fetch)
  const { client } = newClient({ mode: 'jwt', cookies: true, fetch })
  expect(await client.restore()).toMatchObject({ status: 'signed-out' })
  await client.login(ADA)
  for (const round of [1, 2, 3]) {
    clock.advance(LIFETIME)
    await client.user.update({ first_name: `Ada ${round}` })
  }
  await client.logout()
  expect(client.state.status).toBe('signed-out')
  expect(await newClient({ mode: 'jwt', cookies: true, fetch }).client.restore()).toMatchObject({
    status: 'signed-out',
  })
})

test('a refresh cookie is enough to be signed in again', async () => {
  const REST_AUTH = { USE_JWT: true, JWT_AUTH_REFRESH_COOKIE: 'refresh' }
  const { newClient } = await startService({ ...ROTATING, REST_AUTH })
  const options = { mode: 'jwt', cookies: true, fetch: withCookies(globalThis.fetch) } as const
  await newClient(options).client.login(ADA)
  const { client } = newClient(options)
  expect(await client.restore()).toMatchObject({ status: 'signed-in', user: USER })
})

test('a registration without a key signs nobody in', async () => {
  const { newClient } = await startService({
    REST_AUTH: { VERSION: '6.0.0', SESSION_LOGIN: true },
    REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: ['token'] },
  })
  const { client } = newClient({ mode: 'token' })
  const names = { username: 'grace', email: 'grace@example.com' }
  const password = PASSWORD
  expect(await client.register({ ...names, password1: password, password2: password })).toEqual({})
  expect(client.state.status).toBe('unknown')
  await client.login({ username: 'grace', password })
  expect(client.state.status).toBe('signed-in')
})

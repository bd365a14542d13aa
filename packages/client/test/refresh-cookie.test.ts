import { afterEach, expect, test, vi } from 'vitest'
import { countRows } from '../../server/test/support/dump.ts'
import {
  ADA,
  LIFETIME,
  PASSWORD,
  ROTATING,
  startService,
  withCookies,
} from './support/start-service.ts'

// The refresh token is in a cookie, which all tabs share and which may have a path of its own.

const REFRESH_COOKIE = { USE_JWT: true, JWT_AUTH_REFRESH_COOKIE: 'refresh' }
const NARROW = { ...REFRESH_COOKIE, JWT_AUTH_REFRESH_COOKIE_PATH: '/auth/token/' }

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  ['jwt', NARROW, 'good', 0],
  ['jwt', NARROW, 'expired', LIFETIME],
  ['jwt-cookie', { ...NARROW, JWT_AUTH_COOKIE: 'access' }, 'good', 0],
  ['jwt-cookie', { ...NARROW, JWT_AUTH_COOKIE: 'access' }, 'expired', LIFETIME],
] as const)('%s: a logout without the refresh cookie ends the login: %o, %s', async (...given) => {
  const [mode, REST_AUTH, , later] = given
  const { newClient, clock, db } = await startService({ ...ROTATING, REST_AUTH })
  const fetch = withCookies(globalThis.fetch)
  const { client } = newClient({ mode, cookies: true, fetch })
  const ends: string[] = []
  client.onSignedOut((reason) => ends.push(reason))
  vi.useFakeTimers({ toFake: ['Date'] })
  await client.login(ADA)
  vi.advanceTimersByTime(later)
  clock.advance(later)
  await client.logout()
  expect(await countRows(db, 'logins')).toBe(0)
  expect(ends).toEqual(['logout'])
})

test.each([
  ['/', 0.95],
  ['/', 1],
  ['/auth/token/', 1],
])('a logout that cannot refresh can be tried again: %s, %d', async (path, part) => {
  const REST_AUTH = { ...REFRESH_COOKIE, JWT_AUTH_REFRESH_COOKIE_PATH: path }
  const { newClient, clock, db } = await startService({ ...ROTATING, REST_AUTH })
  const kept = withCookies(globalThis.fetch)
  let isLost = true
  const { client } = newClient({
    mode: 'jwt',
    cookies: true,
    fetch(input, init) {
      const isHung = isLost && String(input).includes('refresh')
      if (!isHung) return kept(input, init)
      const { signal } = init ?? {}
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
    },
  })
  vi.useFakeTimers({ toFake: ['Date'] })
  await client.login(ADA)
  vi.advanceTimersByTime(LIFETIME * part)
  clock.advance(LIFETIME * part)
  const signal = AbortSignal.abort(new Error('left'))
  await expect(client.logout({ signal })).rejects.toThrow('left')
  await expect(client.logout({ timeout: 10 })).rejects.toMatchObject({ code: 'timeout' })
  expect(client.state.status).toBe('signed-in')
  expect(await countRows(db, 'logins')).toBe(1)
  isLost = false
  await client.logout()
  expect(client.state.status).toBe('signed-out')
  expect(await countRows(db, 'logins')).toBe(0)
})

const GRACE = {
  username: 'grace',
  email: 'grace@example.com',
  password1: PASSWORD,
  password2: PASSWORD,
}

test.each([
  ['registration', { VERSION: '6.0.0' }, ROTATING.SIMPLE_JWT],
  ['registration', { JWT_AUTH_COOKIE_AT_REGISTRATION: false }, ROTATING.SIMPLE_JWT],
  ['registration', { VERSION: '6.0.0' }, {}],
  ['login', { VERSION: '2.2.5' }, ROTATING.SIMPLE_JWT],
] as const)(
  'a refresh token in the body of a %s is used once if it is rotated: %o, %o',
  async (...given) => {
    const [way, settings, SIMPLE_JWT] = given
    const { newClient, clock } = await startService({
      REST_AUTH: { ...REFRESH_COOKIE, ...settings },
      SIMPLE_JWT,
    })
    const { client } = newClient({
      mode: 'jwt',
      cookies: true,
      rotatesCookie: 'ROTATE_REFRESH_TOKENS' in SIMPLE_JWT,
      fetch: withCookies(globalThis.fetch),
    })
    const { refresh } = await (way === 'login' ? client.login(ADA) : client.register(GRACE))
    expect(refresh).toMatch(/^ey/)
    for (const round of [1, 2, 3]) {
      clock.advance(LIFETIME)
      expect(await client.user.get(), `${round}`).toHaveProperty('username')
    }
  },
)

test('a refresh that brings the token of another login begins that login', async () => {
  const { newClient, clock, createUser } = await startService({
    ...ROTATING,
    REST_AUTH: REFRESH_COOKIE,
  })
  await createUser({ username: 'bob' })
  const options = { mode: 'jwt', cookies: true, fetch: withCookies(globalThis.fetch) } as const
  const { client } = newClient(options)
  await client.login(ADA)
  clock.advance(LIFETIME)
  await client.sessions.list()
  expect(client.state.user).toMatchObject({ username: 'ada' })

  await newClient(options).client.login({ ...ADA, username: 'bob' })
  clock.advance(LIFETIME)
  await client.sessions.list()
  expect(client.state).toMatchObject({ status: 'signed-in', user: undefined })
  expect(await client.restore()).toMatchObject({ user: { username: 'bob' } })
})

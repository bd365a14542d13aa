import { afterEach, expect, test, vi } from 'vitest'
import { countRows } from '../../server/test/support/dump.ts'
import { ADA, LIFETIME, ROTATING, startService, withCookies } from './support/start-service.ts'

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

test('a logout goes on if a refresh before it fails', async () => {
  const { newClient, db } = await startService({ ...ROTATING, REST_AUTH: NARROW })
  const kept = withCookies(globalThis.fetch)
  const { client } = newClient({
    mode: 'jwt',
    cookies: true,
    fetch: (input, init) =>
      String(input).includes('refresh') ? Promise.reject(new TypeError('lost')) : kept(input, init),
  })
  vi.useFakeTimers({ toFake: ['Date'] })
  await client.login(ADA)
  vi.advanceTimersByTime(LIFETIME * 0.95)
  await client.logout()
  expect(client.state.status).toBe('signed-out')
  expect(await countRows(db, 'logins')).toBe(0)
})

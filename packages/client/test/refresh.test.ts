import { afterEach, expect, test, vi } from 'vitest'
import { type AuthError, createClient } from '../src/index.ts'
import {
  ADA,
  COOKIES,
  JWT,
  LIFETIME,
  ROTATING,
  startService,
  withCookies,
} from './support/start-service.ts'

afterEach(() => {
  vi.useRealTimers()
})

const REFRESH = 'POST token/refresh/'

test('ten calls with an expired access token: one refresh', async () => {
  const { newClient, clock } = await startService(ROTATING)
  const { client, count } = newClient({ mode: 'jwt' })
  await client.login(ADA)
  clock.advance(LIFETIME)

  const users = await Promise.all(Array.from({ length: 10 }, () => client.user.get()))
  expect(users.map(({ username }) => username)).toEqual(Array(10).fill('ada'))
  expect(count(REFRESH)).toBe(1)
  expect(count('GET user/')).toBe(20)
})

test('it refreshes ahead of time, so that no call is refused', async () => {
  const { newClient } = await startService(ROTATING)
  const { client, sent } = newClient({ mode: 'jwt' })
  vi.useFakeTimers({ toFake: ['Date'] })
  await client.login(ADA)
  await client.user.get()
  vi.advanceTimersByTime(LIFETIME * 0.95)
  await Promise.all([client.user.get(), client.mfa.status()])
  await client.authorization()
  expect(sent.slice(1, 3)).toEqual(['GET user/', REFRESH])
  expect(sent.filter((call) => call === REFRESH)).toHaveLength(1)
})

test('refresh tokens are rotated for a day of work, and none is used twice', async () => {
  const { newClient, clock } = await startService(ROTATING)
  const { client, count } = newClient({ mode: 'jwt' })
  await client.login(ADA)
  for (let round = 0; round < 5; round += 1) {
    clock.advance(LIFETIME)
    await Promise.all([client.user.get(), client.user.get()])
  }
  expect(count(REFRESH)).toBe(5)
  expect(client.state.status).toBe('signed-in')
})

test('a refused refresh signs out, once, and calls fail with what the service said', async () => {
  const { newClient, clock, administration, ada } = await startService(JWT)
  const { client, count } = newClient({ mode: 'jwt' })
  const ends: string[] = []
  client.onSignedOut((reason) => ends.push(reason))
  await client.login(ADA)
  await administration.revoke(ada)
  clock.advance(LIFETIME)

  const calls = await Promise.allSettled(Array.from({ length: 10 }, () => client.user.get()))
  for (const call of calls) {
    expect(call).toMatchObject({ status: 'rejected', reason: { code: 'token_not_valid' } })
  }
  expect(count(REFRESH)).toBe(1)
  expect(ends).toEqual(['refused'])
  expect(client.state).toMatchObject({ status: 'signed-out', user: undefined })
  await expect(client.user.get()).rejects.toMatchObject({ status: 401, code: undefined })
  expect(count(REFRESH)).toBe(1)
})

test('a restore gives up on tokens that are refused however new they are', async () => {
  const { newClient } = await startService(JWT)
  let asked = 0
  const { client } = newClient({
    mode: 'jwt',
    async fetch(input, init) {
      if (!String(input).endsWith('user/')) return globalThis.fetch(input, init)
      asked += 1
      return Response.json({}, { status: 401 })
    },
  })
  await client.login(ADA)
  expect(await client.restore()).toMatchObject({ status: 'signed-in', error: { status: 401 } })
  expect(asked).toBeLessThan(10)
})

test('a network that fails signs nobody out', async () => {
  const { newClient, clock } = await startService(ROTATING)
  let isDown = false
  const fetch: typeof globalThis.fetch = (input, init) =>
    isDown && String(input).includes('refresh')
      ? Promise.reject(new TypeError('offline'))
      : globalThis.fetch(input, init)
  const { client } = newClient({ mode: 'jwt', fetch })
  const ends: string[] = []
  client.onSignedOut((reason) => ends.push(reason))
  await client.login(ADA)
  clock.advance(LIFETIME)

  isDown = true
  await expect(client.user.get()).rejects.toMatchObject({ status: 0, code: 'network' })
  expect(await client.restore()).toMatchObject({
    status: 'signed-in',
    error: { code: 'network' } as AuthError,
  })
  isDown = false
  expect(await client.restore()).toMatchObject({ status: 'signed-in', error: undefined })
  expect(ends).toEqual([])
})

test.each([
  ['jwt', JWT, '<h1>401 Authorization Required</h1>'],
  ['token', {}, '<h1>401 Authorization Required</h1>'],
  ['token', {}, ''],
] as const)('%s: a 401 of a proxy signs nobody out', async (mode, settings, page) => {
  const { newClient, clock } = await startService(settings)
  let isShut = false
  const fetch: typeof globalThis.fetch = async (input, init) =>
    isShut ? new Response(page, { status: 401 }) : globalThis.fetch(input, init)
  const { client } = newClient({ mode, fetch })
  await client.login(ADA)
  clock.advance(LIFETIME)

  isShut = true
  const error = { status: 401, code: 'not_json' }
  await expect(client.user.get()).rejects.toMatchObject(error)
  await expect(client.logout()).rejects.toMatchObject(error)
  expect(client.state.status).toBe('signed-in')
  isShut = false
  expect(await client.user.get()).toMatchObject({ username: 'ada' })
})

/** Holds the answer to a refresh back until it is released. */
function heldRefresh() {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let reached = () => {}
  const isAsked = new Promise<void>((resolve) => {
    reached = resolve
  })
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await globalThis.fetch(input, init)
    if (!String(input).includes('refresh')) return response
    reached()
    await held
    return response
  }
  return { fetch, release: () => release(), isAsked }
}

test('whoever logs in as somebody else during a refresh stays that', async () => {
  const { newClient, clock, createUser } = await startService(ROTATING)
  await createUser({ username: 'bob' })
  const { fetch, release, isAsked } = heldRefresh()
  const { client } = newClient({ mode: 'jwt', fetch })
  await client.login(ADA)
  clock.advance(LIFETIME)
  const call = client.user.get()
  await isAsked
  await client.login({ ...ADA, username: 'bob' })
  release()
  await call
  expect(await client.user.get()).toMatchObject({ username: 'bob' })
})

test('with cookies, a login waits for a refresh, which would replace its cookies', async () => {
  const { newClient, clock, createUser, url } = await startService(COOKIES)
  const bob = { ...ADA, username: 'bob' }
  await createUser({ username: 'bob' })
  const { fetch, release, isAsked } = heldRefresh()
  const watched = vi.fn(withCookies(fetch))
  const logins = () => watched.mock.calls.filter(([address]) => address === `${url}login/`).length
  const { client } = newClient({ mode: 'jwt-cookie', fetch: watched })
  await client.login(ADA)
  clock.advance(LIFETIME)
  const call = client.user.get()
  await isAsked
  const controller = new AbortController()
  const aborted = client.login(bob, { signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(aborted).rejects.toThrow('enough')
  await expect(client.login(bob, { timeout: 1 })).rejects.toMatchObject({ code: 'timeout' })
  expect(logins()).toBe(1)

  const login = client.login(bob)
  release()
  await Promise.all([call, login])
  expect(client.state).toMatchObject({ status: 'signed-in', user: { username: 'bob' } })
  expect(await client.user.get()).toMatchObject({ username: 'bob' })
})

test('a logout waits for a refresh, and ends what it brought', async () => {
  const { newClient, clock } = await startService(ROTATING)
  const { fetch, release, isAsked } = heldRefresh()
  const { client } = newClient({ mode: 'jwt', fetch })
  await client.login(ADA)
  clock.advance(LIFETIME)
  const call = client.user.get()
  await isAsked
  const end = client.logout()
  release()
  await Promise.allSettled([call])
  await end
  expect(client.state).toMatchObject({ status: 'signed-out', user: undefined })
  expect(await client.authorization()).toBeUndefined()
})

test('a call that is aborted does not wait for the refresh, which goes on for the others', async () => {
  const { newClient, clock } = await startService(ROTATING)
  const { fetch, release, isAsked } = heldRefresh()
  const { client } = newClient({ mode: 'jwt', fetch })
  await client.login(ADA)
  clock.advance(LIFETIME)
  const controller = new AbortController()
  const aborted = client.user.get({ signal: controller.signal })
  const other = client.user.get()
  await isAsked
  controller.abort(new Error('enough'))
  await expect(aborted).rejects.toThrow('enough')
  release()
  expect(await other).toMatchObject({ username: 'ada' })
})

test('a login whose user becomes known during a call is refreshed all the same', async () => {
  const answer = (status: number, body = {}) => Response.json(body, { status })
  let isFresh = false
  let release = (): void => undefined
  const held = new Promise<void>((done) => {
    release = done
  })
  const fetch = async (input: string | URL | Request) => {
    const path = new URL(String(input)).pathname
    if (path === '/auth/user/') return answer(200, { pk: 1, username: 'ada' })
    if (path === '/auth/token/refresh/') {
      isFresh = true
      return answer(200, { access: 'a.b.c' })
    }
    await held
    return answer(isFresh ? 200 : 401)
  }
  const items = new Map([['latchkey', '{"id":"of an older version"}']])
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
  const url = 'http://service.test/auth/'
  const client = createClient({ mode: 'jwt-cookie', url, storage, fetch })
  const call = client.fetch('http://service.test/api/')
  await client.restore()
  release()
  expect((await call).status).toBe(200)
})

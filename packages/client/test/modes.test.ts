import { expect, test, vi } from 'vitest'
import {
  ADA,
  COOKIES,
  JWT,
  PASSWORD,
  SESSION,
  startService,
  withCookies,
} from './support/start-service.ts'

const USER = { pk: expect.any(Number), username: 'ada', email: 'ada@example.com' }

test('with a key', async () => {
  const { newClient } = await startService()
  const { client } = newClient({ mode: 'token' })
  const ends: string[] = []
  client.onSignedOut((reason) => ends.push(reason))
  expect(await client.restore()).toMatchObject({ status: 'signed-out' })

  expect(await client.login(ADA)).toEqual({ key: expect.stringMatching(/^[0-9a-f]{40}$/) })
  expect(client.state).toMatchObject({ status: 'signed-in', user: undefined })
  expect(await client.authorization()).toMatch(/^Token [0-9a-f]{40}$/)
  expect(await client.user.get()).toMatchObject(USER)
  expect(client.state).toMatchObject({ status: 'signed-in', user: USER })

  await client.logout()
  expect(client.state).toMatchObject({ status: 'signed-out', user: undefined })
  expect(await client.authorization()).toBeUndefined()
  expect(ends).toEqual(['logout'])
  await expect(client.user.get()).rejects.toMatchObject({ status: 401 })
  expect(ends).toEqual(['logout'])
})

test('a key that is refused signs out, once', async () => {
  const { newClient, administration, ada } = await startService()
  const { client } = newClient({ mode: 'token' })
  const ends: string[] = []
  client.onSignedOut((reason) => ends.push(reason))
  await client.login(ADA)
  await administration.revoke(ada)

  const calls = Array.from({ length: 5 }, () => client.user.get())
  for (const one of await Promise.allSettled(calls)) expect(one.status).toBe('rejected')
  expect(ends).toEqual(['refused'])
  expect(client.state.status).toBe('signed-out')
})

test('with JSON Web Tokens', async () => {
  const { newClient } = await startService(JWT)
  const { client, sent } = newClient({ mode: 'jwt' })
  expect(await client.login(ADA)).toMatchObject({ refresh: expect.stringMatching(/./), user: USER })
  expect(client.state).toMatchObject({ status: 'signed-in', user: USER })
  expect(await client.authorization()).toMatch(/^Bearer \S+\.\S+\.\S+$/)

  expect(await client.user.update({ first_name: 'Ada' })).toMatchObject({ first_name: 'Ada' })
  expect(client.state.user).toMatchObject({ first_name: 'Ada' })
  await client.logout()
  expect(sent).toEqual(['POST login/', 'PATCH user/', 'POST logout/'])
})

test('a logout ends the refresh token, too', async () => {
  const { newClient } = await startService(JWT)
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  }
  const { client } = newClient({ mode: 'jwt', storage })
  await client.login(ADA)
  const before = new Map(kept)
  await client.logout()
  expect(kept.size).toBe(0)

  for (const [key, value] of before) kept.set(key, value)
  await expect(client.refresh()).resolves.toBeUndefined()
  expect(client.state.status).toBe('signed-out')
})

test('a mode that is not that of the service is told at once', async () => {
  const { newClient } = await startService(JWT)
  const { client } = newClient({ mode: 'token' })
  await expect(client.login(ADA)).rejects.toThrow(/mode "token"/)
  const password = { password1: PASSWORD, password2: PASSWORD }
  const grace = { username: 'grace', email: 'grace@example.com', ...password }
  await expect(client.register(grace)).rejects.toThrow(/mode "token"/)
  expect(client.state.status).not.toBe('signed-in')
})

test('an anonymous logout asks nobody', async () => {
  const { newClient } = await startService()
  const { client, sent } = newClient({ mode: 'token' })
  await client.logout()
  expect(sent).toEqual([])
})

/** Answers to some requests come when they are released. */
function withHeldAnswers(fetch: typeof globalThis.fetch, held: RegExp) {
  const releases: (() => void)[] = []
  const slow: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (held.test(String(input))) await new Promise<void>((release) => releases.push(release))
    return response
  }
  const areHeld = (count: number) => vi.waitFor(() => expect(releases).toHaveLength(count))
  return { fetch: slow, areHeld, release: () => releases.shift()?.() }
}

test.each([
  ['session', SESSION],
  ['jwt-cookie', COOKIES],
] as const)('%s: an answer from before a logout signs nobody in again', async (mode, settings) => {
  const { newClient } = await startService(settings)
  const fetch = withCookies(globalThis.fetch)
  const logIn = () => newClient({ mode, fetch }).client.login(ADA)
  await logIn()
  // The page is opened again, with the cookie but without a stored login.
  const slow = withHeldAnswers(fetch, /user\/$/)
  const { client } = newClient({ mode, fetch: slow.fetch })
  const late = client.restore()
  await slow.areHeld(1)
  await client.logout()
  slow.release()
  expect(await late).toMatchObject({ status: 'signed-out', user: undefined })

  // A later cookie is found.
  await logIn()
  const next = client.restore()
  await slow.areHeld(1)
  slow.release()
  expect(await next).toMatchObject({ status: 'signed-in', user: USER })
})

test('a refusal from before a new cookie does not hide it', async () => {
  const { newClient } = await startService(SESSION)
  const fetch = withCookies(globalThis.fetch)
  const slow = withHeldAnswers(fetch, /(user|sessions)\/$/)
  const { client } = newClient({ mode: 'session', fetch: slow.fetch })
  const refused = client.sessions.list()
  await slow.areHeld(1)
  await newClient({ mode: 'session', fetch }).client.login(ADA)
  const restoring = client.restore()
  await slow.areHeld(2)
  slow.release()
  await expect(refused).rejects.toMatchObject({ status: 401 })
  slow.release()
  expect(await restoring).toMatchObject({ status: 'signed-in', user: USER })
})

test('a refusal from before a login is no error of that login', async () => {
  const { newClient } = await startService(SESSION)
  const slow = withHeldAnswers(withCookies(globalThis.fetch), /user\/$/)
  const { client } = newClient({ mode: 'session', fetch: slow.fetch })
  const restoring = client.restore()
  await slow.areHeld(1)
  await client.login(ADA)
  slow.release()
  await slow.areHeld(1)
  slow.release()
  expect(await restoring).toMatchObject({ status: 'signed-in', user: USER, error: undefined })
})

test('a failure from before a login is no error of that login either', async () => {
  const { newClient } = await startService(SESSION)
  const fetch = withCookies(globalThis.fetch)
  let fail = () => {}
  const lost = new Promise<never>((_, reject) => {
    fail = () => reject(new TypeError('fetch failed'))
  })
  let asked = 0
  const { client } = newClient({
    mode: 'session',
    fetch(input, init) {
      if (!String(input).endsWith('user/')) return fetch(input, init)
      asked += 1
      return asked === 1 ? lost : fetch(input, init)
    },
  })
  const restoring = client.restore()
  await vi.waitFor(() => expect(asked).toBe(1))
  await client.login(ADA)
  fail()
  expect(await restoring).toMatchObject({ status: 'signed-in', user: USER, error: undefined })
})

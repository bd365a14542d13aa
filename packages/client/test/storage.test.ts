import { expect, test, vi } from 'vitest'
import type { LoginStorage } from '../src/index.ts'
import {
  ADA,
  JWT,
  LIFETIME,
  ROTATING,
  SESSION,
  startService,
  withCookies,
} from './support/start-service.ts'

const REFRESH = 'POST token/refresh/'

/** As AsyncStorage is: every answer comes later. While it is `locked` for a use, that fails. */
function laterStorage() {
  const items = new Map<string, string>()
  const locked = { read: false, write: false, removal: false }
  const storage: LoginStorage = {
    async getItem(key) {
      if (locked.read) throw new Error('locked')
      return items.get(key) ?? null
    },
    async setItem(key, value) {
      if (locked.write) throw new Error('locked')
      items.set(key, value)
    },
    async removeItem(key) {
      if (locked.removal) throw new Error('locked')
      items.delete(key)
    },
  }
  return { items, storage, locked }
}

test('a login is found again', async () => {
  const { newClient } = await startService(JWT)
  const { storage, items } = laterStorage()
  await newClient({ mode: 'jwt', storage }).client.login(ADA)
  expect([...items.keys()]).toEqual(['latchkey'])

  const { client } = newClient({ mode: 'jwt', storage })
  expect(client.state.status).toBe('unknown')
  expect(await client.restore()).toMatchObject({ status: 'signed-in', user: { username: 'ada' } })
  await client.logout()
  expect(items.size).toBe(0)
})

test('in memory, it is not', async () => {
  const { newClient } = await startService(JWT)
  await newClient({ mode: 'jwt' }).client.login(ADA)
  const { client, sent } = newClient({ mode: 'jwt' })
  expect(await client.restore()).toMatchObject({ status: 'signed-out' })
  expect(sent).toEqual([])
})

test('a login that ended while nobody looked is told as an end', async () => {
  const { newClient, administration, ada } = await startService(JWT)
  const { storage, items } = laterStorage()
  await newClient({ mode: 'jwt', storage }).client.login(ADA)
  await administration.revoke(ada)

  const { client } = newClient({ mode: 'jwt', storage })
  const ends: string[] = []
  client.onSignedOut((reason) => ends.push(reason))
  expect(await client.restore()).toMatchObject({ status: 'signed-out', error: undefined })
  expect(ends).toEqual(['refused'])
  expect(items.size).toBe(0)
})

test('what is not ours in the storage is no login', async () => {
  const { newClient } = await startService(JWT)
  const { storage, items } = laterStorage()
  items.set('mine', '{ broken')
  const { client } = newClient({ mode: 'jwt', storage, storageKey: 'mine' })
  expect(await client.restore()).toMatchObject({ status: 'signed-out' })
})

test('a storage that cannot be read for a moment ends no login, and nothing is sent', async () => {
  const { newClient } = await startService(JWT)
  const { storage, items, locked } = laterStorage()
  await newClient({ mode: 'jwt', storage }).client.login(ADA)
  const { client, sent } = newClient({ mode: 'jwt', storage })
  const ends: string[] = []
  client.onSignedOut((reason) => ends.push(reason))

  locked.read = true
  const error = { name: 'AuthError', status: 0, code: 'storage', cause: new Error('locked') }
  expect(await client.restore()).toMatchObject({ status: 'unknown', error })
  await expect(client.user.get()).rejects.toMatchObject(error)
  await expect(client.fetch('/api')).rejects.toMatchObject(error)
  await expect(client.logout()).rejects.toMatchObject(error)
  expect({ sent, ends, stored: items.size }).toEqual({ sent: [], ends: [], stored: 1 })

  locked.read = false
  expect(await client.restore()).toMatchObject({ status: 'signed-in', error: undefined })
  locked.read = true
  expect(await client.restore()).toMatchObject({ status: 'signed-in', error })
})

test('a logout that cannot delete the login has ended it', async () => {
  const { newClient } = await startService(JWT)
  const { storage, items, locked } = laterStorage()
  const { client } = newClient({ mode: 'jwt', storage })
  const ends: string[] = []
  client.onSignedOut((reason) => ends.push(reason))
  await client.login(ADA)
  locked.removal = true
  const error = { name: 'AuthError', status: 0, code: 'storage', cause: new Error('locked') }
  await expect(client.logout()).rejects.toMatchObject(error)
  expect(client.state).toMatchObject({ status: 'signed-out', user: undefined })

  locked.removal = false
  await expect(client.user.get()).rejects.toMatchObject({ status: 401 })
  expect({ ends, stored: items.size }).toEqual({ ends: ['logout'], stored: 0 })
})

test('a login that cannot be stored lasts as long as the page', async () => {
  const { newClient, clock } = await startService(ROTATING)
  const { storage, items, locked } = laterStorage()
  Object.assign(locked, { read: true, write: true })
  const { client, count } = newClient({ mode: 'jwt', storage })
  await client.login(ADA)
  for (const round of [1, 2]) {
    clock.advance(LIFETIME)
    expect(await client.restore()).toMatchObject({ status: 'signed-in', error: undefined })
    expect(count(REFRESH)).toBe(round)
  }
  await client.logout()
  expect(client.state.status).toBe('signed-out')
  Object.assign(locked, { read: false, write: false })
  expect(await client.authorization()).toBeUndefined()
  expect(items.size).toBe(0)
})

test('a later login that cannot be stored replaces the stored one', async () => {
  const { newClient, createUser } = await startService(JWT)
  await createUser({ username: 'bob' })
  const { storage, locked } = laterStorage()
  const { client } = newClient({ mode: 'jwt', storage })
  await client.login(ADA)
  locked.write = true
  await client.login({ ...ADA, username: 'bob' })
  expect(await client.user.get()).toMatchObject({ username: 'bob' })
  await client.login(ADA)
  expect(await client.user.get()).toMatchObject({ username: 'ada' })
})

test('a new token that could not be stored at first is stored by the next call', async () => {
  const { newClient, clock } = await startService(ROTATING)
  const { storage, locked } = laterStorage()
  const { client } = newClient({ mode: 'jwt', storage })
  await client.login(ADA)
  clock.advance(LIFETIME)
  locked.write = true
  await client.user.get()
  locked.write = false
  await client.user.get()

  // The page is opened again. A spent token would end the login.
  clock.advance(LIFETIME)
  const again = newClient({ mode: 'jwt', storage })
  expect(await again.client.restore()).toMatchObject({ status: 'signed-in', error: undefined })
})

test('a storage that fails during a refresh does not lose the new token', async () => {
  const { newClient, clock, createUser } = await startService(ROTATING)
  await createUser({ username: 'bob' })
  const { storage, locked } = laterStorage()
  let during = async () => {}
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(input).includes('refresh')) await during()
    return globalThis.fetch(input, init)
  }
  const { client } = newClient({ mode: 'jwt', storage, fetch })
  await newClient({ mode: 'jwt', storage }).client.login(ADA)
  clock.advance(LIFETIME)
  during = async () => void Object.assign(locked, { read: true, write: true })
  expect(await client.user.get()).toMatchObject({ username: 'ada' })
  Object.assign(locked, { read: false, write: false })
  expect(await client.user.get()).toMatchObject({ username: 'ada' })

  // It does not replace the login of somebody else.
  clock.advance(LIFETIME)
  during = async () => {
    await client.login({ ...ADA, username: 'bob' })
    locked.read = true
  }
  await expect(client.user.get()).rejects.toMatchObject({ code: 'storage' })
  locked.read = false
  expect(await client.user.get()).toMatchObject({ username: 'bob' })
})

test('what another client refreshed is used, not refreshed again', async () => {
  const { newClient, clock } = await startService(ROTATING)
  const { storage } = laterStorage()
  const one = newClient({ mode: 'jwt', storage })
  const two = newClient({ mode: 'jwt', storage })
  await one.client.login(ADA)
  clock.advance(LIFETIME)
  await one.client.user.get()
  await two.client.user.get()
  expect(two.sent).toEqual(['GET user/'])
})

test('what another client stores during a restore does not hide the user', async () => {
  const { newClient } = await startService(SESSION)
  const fetch = withCookies(globalThis.fetch)
  await newClient({ mode: 'session', fetch }).client.login(ADA)
  const { storage } = laterStorage()
  const other = newClient({ mode: 'session', storage, fetch })
  const { client } = newClient({
    mode: 'session',
    storage,
    async fetch(...args) {
      await other.client.restore()
      return fetch(...args)
    },
  })
  expect(await client.restore()).toMatchObject({ status: 'signed-in', user: { username: 'ada' } })
})

test('listeners hear every change until they stop', async () => {
  const { newClient } = await startService(JWT)
  const { client } = newClient({ mode: 'jwt' })
  const heard: string[] = []
  const stop = client.onChange(({ status, user }) => heard.push(`${status} ${user?.username}`))
  await client.login(ADA)
  await client.logout()
  stop()
  await client.login(ADA)
  expect(heard).toEqual(['signed-in ada', 'signed-out undefined'])
})

test('a listener that throws fails no login, and the others hear of it', async () => {
  const { newClient } = await startService(JWT)
  const { client } = newClient({ mode: 'jwt' })
  const heard: string[] = []
  client.onChange(() => {
    throw new Error('of the page')
  })
  client.onChange(({ status }) => heard.push(status))
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    await client.login(ADA)
    expect(heard).toEqual(['signed-in'])
    expect(() => vi.runAllTimers()).toThrow('of the page')
  } finally {
    vi.useRealTimers()
  }
})

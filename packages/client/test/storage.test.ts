import { expect, test } from 'vitest'
import type { LoginStorage } from '../src/index.ts'
import { ADA, JWT, LIFETIME, ROTATING, startService } from './support/start-service.ts'

/** As AsyncStorage is: every answer comes later. */
function laterStorage() {
  const items = new Map<string, string>()
  const storage: LoginStorage = {
    getItem: async (key) => items.get(key) ?? null,
    setItem: async (key, value) => items.set(key, value),
    removeItem: async (key) => items.delete(key),
  }
  return { items, storage }
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

import { expect, test } from 'vitest'
import { ADA, JWT, startService } from './support/start-service.ts'

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
  expect(client.state.status).not.toBe('signed-in')
})

test('an anonymous logout asks nobody', async () => {
  const { newClient } = await startService()
  const { client, sent } = newClient({ mode: 'token' })
  await client.logout()
  expect(sent).toEqual([])
})

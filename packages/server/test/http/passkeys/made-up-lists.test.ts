import { expect, test } from 'vitest'
import { registered } from '../../support/passkeys.ts'
import { type StartedAuth, startAuth } from '../../support/start-auth.ts'

type Options = { allowCredentials: { id: string; type: string; transports?: string[] }[] }

async function listFor({ request }: StartedAuth, name: object) {
  const reply = await request.post('passkeys/login/begin/', name)
  return (reply.body as Options).allowCredentials
}

test('nobody, and somebody without passkeys, have passkeys that nobody has', async () => {
  const auth = await startAuth()
  await auth.createUser({ username: 'ada', email: 'ada@example.com' })
  for (const name of [{ username: 'nobody' }, { username: 'ada' }, { email: 'x@example.com' }]) {
    const list = await listFor(auth, name)
    expect(list.length).toBeGreaterThanOrEqual(1)
    expect(list.length).toBeLessThanOrEqual(3)
    for (const { id, type } of list) {
      expect(type).toBe('public-key')
      expect([16, 20, 32, 48, 64]).toContain(Buffer.from(id, 'base64url').length)
    }
  }
})

test('the list is the same at every call, on every instance, in every spelling', async () => {
  const auth = await startAuth({}, { shared: true })
  const beside = await startAuth({}, { beside: auth })
  const list = await listFor(auth, { username: 'nobody' })
  expect(await listFor(auth, { username: 'nobody' })).toEqual(list)
  expect(await listFor(auth, { username: ' NoBody ' })).toEqual(list)
  expect(await listFor(auth, { username: 'ｎｏｂｏｄｙ' })).toEqual(list)
  expect(await listFor(beside, { username: 'nobody' })).toEqual(list)

  const byEmail = await listFor(auth, { email: 'x@example.com' })
  expect(await listFor(auth, { email: 'X@EXAMPLE.com' })).toEqual(byEmail)
  expect(await listFor(auth, { username: 'x@example.com' })).toEqual(byEmail)
})

test('the list does not change when an account is made, only when a passkey is', async () => {
  const auth = await startAuth()
  const before = await listFor(auth, { username: 'ada' })
  const token = await auth.createUserWithToken('ada')
  expect(await listFor(auth, { username: 'ada' })).toEqual(before)
  const { id } = await registered(auth.request, token)
  expect(await listFor(auth, { username: 'ada' })).toMatchObject([{ id }])
})

test('other names have other lists, of various lengths', async () => {
  const auth = await startAuth()
  const names = Array.from({ length: 40 }, (_, i) => ({ username: `name${i}` }))
  const lists = await Promise.all(names.map((name) => listFor(auth, name)))
  const ids = lists.flat().map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(lists.map((list) => list.length)).size).toBe(3)
  expect(new Set(ids.map((id) => id.length)).size).toBeGreaterThan(2)
})

test('a name of 60 KB is a name', async () => {
  const auth = await startAuth()
  expect(await listFor(auth, { username: 'x'.repeat(60_000) })).not.toEqual([])
})

test('where only addresses log in, a username is not looked at', async () => {
  const auth = await startAuth({ ACCOUNT: { LOGIN_METHODS: ['email'] } })
  expect(await listFor(auth, { username: 'ada' })).toEqual([])
  expect(await listFor(auth, { email: 'ada@example.com' })).not.toEqual([])
})

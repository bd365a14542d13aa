import { expect, test } from 'vitest'
import {
  acceptStep,
  addAuthenticatorIfNone,
  addChallenge,
  addCodes,
  findAuthenticatorOfUser,
  findLiveChallenge,
  listCodesOfUser,
  replaceCode,
  replaceSecret,
  takeTry,
  useCode,
} from '../../../src/features/mfa/mfa-queries.ts'
import { startAuth } from '../../support/start-auth.ts'

// Each statement decides for itself, since another request may have come first after the last lookup.
// Such a moment can hardly be hit from outside.

const APP = { sealed_secret: 'old', last_step: 7, created_at: 1, last_used_at: null }

async function startWithTwo() {
  const { handle, createUser } = await startAuth()
  const [{ id: ada }, { id: bob }] = [
    await createUser({ username: 'ada' }),
    await createUser({ username: 'bob' }),
  ]
  for (const user_id of [ada, bob]) {
    expect(await addAuthenticatorIfNone(handle, { ...APP, user_id })).toBe(true)
  }
  return { handle, ada, bob, appOf: (id: number) => findAuthenticatorOfUser(handle, id) }
}

test('a second app is not added', async () => {
  const { handle, ada, appOf } = await startWithTwo()
  const other = { ...APP, user_id: ada, sealed_secret: 'other' }
  expect(await addAuthenticatorIfNone(handle, other)).toBe(false)
  expect(await appOf(ada)).toMatchObject(APP)
})

test('a step is accepted only after all earlier ones', async () => {
  const { handle, ada, bob, appOf } = await startWithTwo()
  for (const step of [6, 7]) expect(await acceptStep(handle, ada, step, 2)).toBe(false)
  expect(await appOf(ada)).toMatchObject(APP)
  expect(await acceptStep(handle, ada, 8, 2)).toBe(true)
  expect(await appOf(ada)).toMatchObject({ last_step: 8, last_used_at: 2 })
  expect(await appOf(bob)).toMatchObject(APP)
})

test('a secret is resealed only if it is still the one that was read', async () => {
  const { handle, ada, bob, appOf } = await startWithTwo()
  await replaceSecret(handle, ada, 'older', 'new')
  expect(await appOf(ada)).toMatchObject(APP)
  await replaceSecret(handle, ada, 'old', 'new')
  expect(await appOf(ada)).toMatchObject({ ...APP, sealed_secret: 'new' })
  expect(await appOf(bob)).toMatchObject(APP)
})

test('a recovery code is resealed only if it is still the one that was read', async () => {
  const { handle, ada, bob } = await startWithTwo()
  const rows = [ada, bob].flatMap((user_id) => [
    { user_id, digest: 'a', sealed_code: 'old a', position: 0 },
    { user_id, digest: 'b', sealed_code: 'old b', position: 1 },
  ])
  await addCodes(handle, rows)
  const codesOf = async (id: number) =>
    (await listCodesOfUser(handle, id)).map(({ digest, sealed_code }) => [digest, sealed_code])
  const before = [
    ['a', 'old a'],
    ['b', 'old b'],
  ]
  const anew = { user_id: ada, digest: 'c', sealed_code: 'new a' }
  await replaceCode(handle, { user_id: ada, digest: 'a', sealed_code: 'older a' }, anew)
  await replaceCode(handle, { user_id: ada, digest: 'x', sealed_code: 'old a' }, anew)
  expect(await codesOf(ada)).toEqual(before)
  await replaceCode(handle, { user_id: ada, digest: 'a', sealed_code: 'old a' }, anew)
  expect(await codesOf(ada)).toEqual([
    ['c', 'new a'],
    ['b', 'old b'],
  ])
  expect(await codesOf(bob)).toEqual(before)

  expect(await useCode(handle, ada, ['a', 'x'])).toBe(false)
  expect(await useCode(handle, ada, ['c', 'x'])).toBe(true)
  expect(await useCode(handle, ada, ['c', 'x'])).toBe(false)
  expect(await codesOf(ada)).toEqual([['b', 'old b']])
  expect(await codesOf(bob)).toEqual(before)
})

test('a challenge gives no try after its last, and none once it has expired', async () => {
  const { handle, ada } = await startWithTwo()
  const begun = { method: 'password', linked_account: null } as const
  const row = { user_id: ada, epoch: 0, ...begun, tries_left: 1, expires_at: 10 }
  for (const digest of ['first', 'second']) await addChallenge(handle, { ...row, digest })
  expect(await takeTry(handle, 'first', 10)).toBeUndefined()
  expect(await findLiveChallenge(handle, 'first', 10)).toBeUndefined()
  expect(await takeTry(handle, 'first', 9)).toMatchObject({ digest: 'first', tries_left: 0 })
  expect(await takeTry(handle, 'first', 9)).toBeUndefined()
  expect(await findLiveChallenge(handle, 'first', 9)).toBeUndefined()
  expect(await findLiveChallenge(handle, 'second', 9)).toMatchObject({ tries_left: 1 })
})

import { expect, test } from 'vitest'
import {
  addKey,
  consumeKey,
  findChangeOfUser,
  findKey,
  listKeysOfUser,
  removeChangeOfUser,
} from '../../../src/features/registration/email-keys-queries.ts'
import { deleteRowsOfUser } from '../../../src/storage/rows-of-user.ts'
import { startAuth } from '../../support/start-auth.ts'

const NOW = 100
const LATE = NOW + 10

/** Both users have one key of each purpose. Those of Bob come first. */
async function startWithKeys() {
  const { handle, createUser, db } = await startAuth()
  const { id: bob } = await createUser({ username: 'bob' })
  const { id: ada } = await createUser({ username: 'ada' })
  const rows = Object.entries({ bob, ada }).flatMap(([name, user_id]) =>
    (['verify', 'change'] as const).map((purpose, n) => ({
      digest: `${name} ${purpose}`,
      user_id,
      purpose,
      email_key: `${purpose}@${name}.example`,
      epoch: 3,
      expires_at: LATE + n,
    })),
  )
  for (const row of rows) await addKey(handle, row)
  const left = async () => {
    const found = await db.selectFrom('email_keys').select('digest').execute()
    return found.map(({ digest }) => digest).sort()
  }
  return { handle, ada, bob, left }
}

test('a key is found for its own purpose, until it expires', async () => {
  const { handle } = await startWithKeys()
  expect(await findKey(handle, 'verify', 'ada verify', NOW)).toMatchObject({ digest: 'ada verify' })
  expect(await findKey(handle, 'change', 'ada verify', NOW)).toBeUndefined()
  expect(await findKey(handle, 'verify', 'ada verify', LATE)).toBeUndefined()
  expect(await findKey(handle, 'verify', 'unknown', NOW)).toBeUndefined()
})

test('a key is used up alone, and neither late nor for another purpose', async () => {
  const { handle, left } = await startWithKeys()
  const before = await left()
  expect(await consumeKey(handle, 'change', 'ada verify', NOW)).toBeUndefined()
  expect(await consumeKey(handle, 'verify', 'ada verify', LATE)).toBeUndefined()
  expect(await consumeKey(handle, 'verify', 'unknown', NOW)).toBeUndefined()
  expect(await left()).toEqual(before)
  const used = await consumeKey(handle, 'verify', 'ada verify', NOW)
  expect(used).toMatchObject({ digest: 'ada verify' })
  expect(await consumeKey(handle, 'verify', 'ada verify', NOW)).toBeUndefined()
  expect(await left()).toEqual(['ada change', 'bob change', 'bob verify'])
})

test('the change that waits is the own one, of this epoch, and not over', async () => {
  const { handle, ada, bob } = await startWithKeys()
  for (const [id, digest] of [
    [ada, 'ada change'],
    [bob, 'bob change'],
  ] as const) {
    expect(await findChangeOfUser(handle, id, 3, NOW)).toMatchObject({ digest })
    expect(await findChangeOfUser(handle, id, 4, NOW)).toBeUndefined()
    expect(await findChangeOfUser(handle, id, 3, LATE + 1)).toBeUndefined()
  }
})

test('a change is dropped without the other keys, and without those of others', async () => {
  const { handle, ada, left } = await startWithKeys()
  expect(await removeChangeOfUser(handle, ada)).toBe(true)
  expect(await left()).toEqual(['ada verify', 'bob change', 'bob verify'])
  expect(await removeChangeOfUser(handle, ada)).toBe(false)
  await deleteRowsOfUser(handle, 'email_keys', ada)
  expect(await left()).toEqual(['bob change', 'bob verify'])
})

test('only the own keys that are not over are listed, newest first', async () => {
  const { handle, ada } = await startWithKeys()
  const digestsAt = async (now: number, most: number) =>
    (await listKeysOfUser(handle, ada, now, most)).map(({ digest }) => digest)
  expect(await digestsAt(NOW, 9)).toEqual(['ada change', 'ada verify'])
  expect(await digestsAt(NOW, 1)).toEqual(['ada change'])
  expect(await digestsAt(LATE, 9)).toEqual(['ada change'])
})

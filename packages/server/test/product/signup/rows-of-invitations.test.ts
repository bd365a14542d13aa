import { expect, test } from 'vitest'
import {
  findByDigest,
  findInvitation,
  findOfUser,
  listInvitations,
  listOfUser,
  putInvitation,
  removeInvitation,
  removeInvitationsTo,
  takeInvitations,
} from '../../../src/features/signup/invitations-queries.ts'
import { startAuth } from '../../support/start-auth.ts'

const NOW = 100
const LATE = NOW + 10

const BOB = 'bob@example.com'
const EVE = 'eve@example.com'

/** Grace and Ada have both invited Bob, and then Eve. */
async function startWithInvitations() {
  const { handle, createUser, db } = await startAuth()
  const { id: grace } = await createUser({ username: 'grace' })
  const { id: ada } = await createUser({ username: 'ada' })
  const put = (user_id: number, email_key: string, digest: string) =>
    putInvitation(handle, {
      digest,
      user_id,
      email_key,
      group_names: '[]',
      fields: '{}',
      created_at: NOW,
      expires_at: LATE,
    })
  await put(grace, BOB, 'grace to bob')
  await put(ada, BOB, 'ada to bob')
  await put(grace, EVE, 'grace to eve')
  const { id = 0 } = (await put(ada, EVE, 'ada to eve')) ?? {}
  const left = async () => {
    const found = await db.selectFrom('invitations').select('digest').orderBy('id').execute()
    return found.map(({ digest }) => digest)
  }
  return { handle, ada, grace, put, id, left }
}

const ALL = ['grace to bob', 'ada to bob', 'grace to eve', 'ada to eve']

test('another invitation replaces that of the same user to the same address', async () => {
  const { ada, put, id, left } = await startWithInvitations()
  expect(await put(ada, EVE, 'again')).toMatchObject({ id, digest: 'again' })
  expect(await left()).toEqual([...ALL.slice(0, 3), 'again'])
})

test('a key finds its own invitation, until that expires', async () => {
  const { handle } = await startWithInvitations()
  for (const digest of ALL)
    expect(await findByDigest(handle, digest, NOW)).toMatchObject({ digest })
  expect(await findByDigest(handle, 'ada to bob', LATE)).toBeUndefined()
  expect(await findByDigest(handle, 'unknown', NOW)).toBeUndefined()
})

test('a key takes all invitations of its address, unless it is late, and no others', async () => {
  const { handle, left } = await startWithInvitations()
  expect(await takeInvitations(handle, 'ada to bob', LATE)).toEqual([])
  expect(await takeInvitations(handle, 'unknown', NOW)).toEqual([])
  expect(await left()).toEqual(ALL)
  const taken = await takeInvitations(handle, 'ada to bob', NOW)
  expect(taken.map(({ digest }) => digest).sort()).toEqual(['ada to bob', 'grace to bob'])
  expect(await left()).toEqual(['grace to eve', 'ada to eve'])
})

test('a user finds and lists the own ones', async () => {
  const { handle, ada, grace, id } = await startWithInvitations()
  expect(await findOfUser(handle, ada, EVE)).toMatchObject({ digest: 'ada to eve' })
  expect(await findOfUser(handle, ada, 'no@example.com')).toBeUndefined()
  expect(await findInvitation(handle, id)).toMatchObject({ digest: 'ada to eve' })
  const digestsOf = async (userId: number, most: number) =>
    (await listOfUser(handle, userId, most)).map(({ digest }) => digest)
  expect(await digestsOf(ada, 9)).toEqual(['ada to eve', 'ada to bob'])
  expect(await digestsOf(grace, 1)).toEqual(['grace to eve'])
})

test('an operator lists all, page by page', async () => {
  const { handle, id } = await startWithInvitations()
  const listed = await listInvitations(handle, id, 2)
  expect(listed.map(({ digest, inviter }) => [digest, inviter])).toEqual([
    ['grace to eve', 'grace'],
    ['ada to bob', 'ada'],
  ])
})

test('what is revoked goes alone, and what a deleted user got goes with all of its kind', async () => {
  const { handle, id, left } = await startWithInvitations()
  expect(await removeInvitation(handle, id)).toMatchObject({ digest: 'ada to eve' })
  expect(await removeInvitation(handle, id)).toBeUndefined()
  expect(await left()).toEqual(ALL.slice(0, 3))
  await removeInvitationsTo(handle, BOB)
  expect(await left()).toEqual(['grace to eve'])
})

import { expect, test } from 'vitest'
import type { Actor } from '../../../src/features/administration/rules.ts'
import { countRows } from '../../support/dump.ts'
import { BY_USERS, INVITED } from '../../support/invitations.ts'
import { startAuth } from '../../support/start-auth.ts'

const HOST: Actor = { kind: 'host', name: 'test', may: 'all' }
const KEY: Actor = { kind: 'key', name: 'k', pk: 1, may: ['users'] }
const READER: Actor = { kind: 'key', name: 'r', pk: 2, may: ['read'] }

test('staff invite, but only superusers and keys give groups', async () => {
  const { auth, createUser, db } = await startAuth(INVITED)
  const { operations } = auth.services
  const { id } = await createUser({ username: 'staff' })
  await operations.call(HOST, 'users.update', { pk: String(id), is_staff: true })
  const staff: Actor = { kind: 'person', name: 'staff', pk: id, id, may: 'staff' }
  const invite = (actor: Actor, email: string, more: object = {}) =>
    operations.call(actor, 'invitations.create', { email, ...more })

  expect(await invite(staff, 'a@example.com')).toMatchObject({ groups: [], invited_by: null })
  const withGroups = invite(staff, 'b@example.com', { groups: ['editors'] })
  await expect(withGroups).rejects.toMatchObject({ status: 403 })
  const made = await invite(KEY, 'c@example.com', { groups: ['x', 'x'] })
  expect(made).toMatchObject({ groups: ['x'] })
  // Sending it again gives the groups again.
  const again = operations.call(staff, 'invitations.resend', { id: String(made.id) })
  await expect(again).rejects.toMatchObject({ status: 403 })
  await expect(invite(READER, 'd@example.com')).rejects.toMatchObject({ status: 403 })
  await expect(invite(HOST, 'e@example.com', { fields: { nope: 1 } })).rejects.toMatchObject({
    status: 400,
  })
  expect(await countRows(db, 'invitations')).toBe(2)
})

test('an invitation is listed with the groups and fields that it gives', async () => {
  const { auth } = await startAuth({
    ...INVITED,
    USER_FIELDS: { team: { type: 'string' }, seats: { type: 'integer' }, tags: { type: 'list' } },
  })
  const { operations } = auth.services
  const gifts = { groups: ['editors'], fields: { team: 'blue', seats: 2, tags: ['a', 'b'] } }
  const made = await operations.call(HOST, 'invitations.create', {
    email: 'bob@example.com',
    ...gifts,
  })
  await operations.call(HOST, 'invitations.create', { email: 'eve@example.com' })
  expect(made).toMatchObject(gifts)
  const { results } = await operations.call(READER, 'invitations.list', {})
  expect(results).toMatchObject([{ groups: [], fields: {} }, gifts])
  const again = await operations.call(HOST, 'invitations.resend', { id: String(made.id) })
  expect(again).toMatchObject(gifts)
})

test('operators see the invitations of users, page by page, and revoke them', async () => {
  const { auth, request, createUserWithToken } = await startAuth(BY_USERS)
  const { operations } = auth.services
  const token = await createUserWithToken('ada')
  for (const name of ['a', 'b', 'c']) {
    await request.post('invitations/', { email: `${name}@example.com` }, { token })
  }
  const first = await operations.call(READER, 'invitations.list', { limit: '2' })
  expect(first.results).toMatchObject([
    { email: 'c@example.com', invited_by: 'ada' },
    { email: 'b@example.com', invited_by: 'ada' },
  ])
  const after = first.next ?? ''
  const second = await operations.call(READER, 'invitations.list', { limit: '2', after })
  expect(second).toMatchObject({ results: [{ email: 'a@example.com' }], next: null })
  expect(JSON.stringify([first, second])).not.toContain('digest')
  await operations.call(KEY, 'invitations.revoke', { id: '1' })
  expect((await request.get('invitations/', { token })).body).toHaveLength(2)
})

test('an address that has an account is not invited', async () => {
  const { auth, createUser, mail } = await startAuth(INVITED)
  await createUser({ username: 'ada', email: 'ada@example.com' })
  const inviting = auth.services.operations.call(HOST, 'invitations.create', {
    email: 'ADA@example.com',
  })
  await expect(inviting).rejects.toMatchObject({
    status: 400,
    message: 'email: email_taken',
  })
  expect(await mail.letters()).toEqual([])
})

test('an invitation gives no unique value that somebody has, nor does it when sent again', async () => {
  const { auth, mail, db } = await startAuth({
    ...INVITED,
    USER_FIELDS: { phone: { type: 'string', unique: true } },
  })
  const { operations } = auth.services
  const invite = (email: string, phone: string) =>
    operations.call(HOST, 'invitations.create', { email, fields: { phone } })
  const add = (username: string, phone: string) =>
    operations.call(HOST, 'users.create', { username, fields: { phone } })
  const TAKEN = { status: 400, message: 'phone: not_unique' }

  await add('ada', '1')
  await expect(invite('bob@example.com', '1')).rejects.toMatchObject(TAKEN)
  expect(await mail.letters()).toEqual([])
  expect(await countRows(db, 'invitations')).toBe(0)

  const { id } = await invite('bob@example.com', '2')
  await add('eve', '2')
  const again = operations.call(HOST, 'invitations.resend', { id: String(id) })
  await expect(again).rejects.toMatchObject(TAKEN)
  expect(await mail.letters()).toHaveLength(1)
  // Blank values are not unique.
  await invite('carl@example.com', '')
  await invite('dan@example.com', '')
})

test('an operator who sends an invitation of a user again is the one who did it', async () => {
  const { auth, request, createUserWithToken, db, mail } = await startAuth(BY_USERS)
  const { operations } = auth.services
  const token = await createUserWithToken('ada')
  await request.post('invitations/', { email: 'x@example.com' }, { token })
  const resend = () => operations.call(KEY, 'invitations.resend', { id: '1' })
  expect(await resend()).toMatchObject({ email: 'x@example.com', invited_by: 'ada' })
  const rows = await db
    .selectFrom('audit_events')
    .select(['user_id', 'operator_name', 'times'])
    .where('event', '=', 'invitation_sent')
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { user_id: 1, operator_name: null, times: 1 },
    { user_id: 0, operator_name: 'k', times: 1 },
  ])

  // The link would be void.
  await operations.call(KEY, 'users.deactivate', { pk: 1 })
  const sent = (await mail.letters()).length
  await expect(resend()).rejects.toMatchObject({ status: 400, message: 'user_not_active' })
  expect(await mail.letters()).toHaveLength(sent)
})

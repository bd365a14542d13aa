import { expect, test } from 'vitest'
import { DAY } from '../../../src/kernel/clock.ts'
import { signup } from '../../support/accounts.ts'
import { countRows } from '../../support/dump.ts'
import { BY_USERS, INVITED, keyFor } from '../../support/invitations.ts'
import { startAuth } from '../../support/start-auth.ts'

const NOT_FOUND = { detail: 'Not found.' }

const start = async (settings: object = {}) => {
  const started = await startAuth({ ...BY_USERS, ...settings })
  const token = await started.createUserWithToken('ada')
  const inviting = (email: string) => started.request.post('invitations/', { email }, { token })
  return { ...started, token, inviting }
}

test('a user invites, lists, sends again and revokes', async () => {
  const started = await start()
  const { request, token, inviting, clock } = started
  const invitation = {
    id: 1,
    email: 'bob@example.com',
    created_at: '2030-01-01T12:00:00.000Z',
    expires_at: '2030-01-08T12:00:00.000Z',
  }
  expect(await inviting('Bob@Example.com')).toMatchReply(201, invitation)
  expect(await request.get('invitations/', { token })).toMatchReply(200, [invitation])
  const first = await keyFor(started, 'bob@example.com')

  clock.advance(60_000)
  const again = await request.post('invitations/1/resend/', {}, { token })
  expect(again).toMatchReply(200, {
    ...invitation,
    created_at: '2030-01-01T12:01:00.000Z',
    expires_at: '2030-01-08T12:01:00.000Z',
  })
  const second = await keyFor(started, 'bob@example.com')
  expect(second).not.toBe(first)

  expect((await request.delete('invitations/1/', { token })).status).toBe(204)
  expect(await request.get('invitations/', { token })).toMatchReply(200, [])
  for (const key of [first, second]) {
    const body = { ...signup('bob'), email: undefined, invitation: key }
    expect((await request.post('registration/', body)).status).toBe(400)
  }
})

test('another user has nothing to do with it', async () => {
  const { request, inviting, createUserWithToken, db } = await start()
  await inviting('bob@example.com')
  const token = await createUserWithToken('eve')
  expect(await request.get('invitations/', { token })).toMatchReply(200, [])
  expect(await request.delete('invitations/1/', { token })).toMatchReply(404, NOT_FOUND)
  expect(await request.post('invitations/1/resend/', {}, { token })).toMatchReply(404, NOT_FOUND)
  expect(await request.delete('invitations/x/', { token })).toMatchReply(404, NOT_FOUND)
  expect(await countRows(db, 'invitations')).toBe(1)
})

test('nothing tells whether the address has an account', async () => {
  const { inviting, createUser, mail, request, token } = await start()
  await createUser({ username: 'bob', email: 'bob@example.com' })
  const taken = await inviting('bob@example.com')
  const free = await inviting('new@example.com')
  expect(taken.status).toBe(201)
  expect({ ...(taken.body as object), id: 0, email: '' }).toEqual({
    ...(free.body as object),
    id: 0,
    email: '',
  })
  expect((await mail.of('invitation')).map(({ to }) => to)).toEqual(['new@example.com'])
  expect((await request.get('invitations/', { token })).body).toHaveLength(2)
})

test('an unproved address, a missing login and a bad address invite nobody', async () => {
  const { request, createUserWithToken, inviting, db } = await start()
  const token = await createUserWithToken('eve', { verified: false })
  expect(await request.post('invitations/', { email: 'bob@example.com' }, { token })).toMatchReply(
    400,
    { non_field_errors: ['Verify your e-mail address first.'] },
  )
  expect((await request.post('invitations/', { email: 'bob@example.com' })).status).toBe(401)
  expect(await inviting('bob')).toMatchReply(400, { email: ['Enter a valid email address.'] })
  expect(await countRows(db, 'invitations')).toBe(0)
})

test('users set neither groups nor fields', async () => {
  const started = await start()
  const { request, token, findUser } = started
  await request.post(
    'invitations/',
    { email: 'bob@example.com', groups: ['admins'], fields: { team: 'x' }, is_staff: true },
    { token },
  )
  const invitation = await keyFor(started, 'bob@example.com')
  await request.post('registration/', { ...signup('bob'), email: undefined, invitation })
  expect(await findUser('bob')).toMatchObject({ group_names: '[]', is_staff: 0, extra: '{}' })
})

test('letters to one address are limited silently, those of one user are refused', async () => {
  const { inviting, mail } = await start()
  for (let n = 0; n < 5; n++) expect((await inviting('bob@example.com')).status).toBe(201)
  expect(await mail.of('invitation')).toHaveLength(3)
  for (let n = 0; n < 15; n++) expect((await inviting(`a${n}@example.com`)).status).toBe(201)
  const refused = await inviting('z@example.com')
  expect(refused.status).toBe(429)
  expect(refused.headers['retry-after']).toBeDefined()
})

test('while no letter may go out, a valid invitation stays and an expired one is replaced', async () => {
  const { request, inviting, mail, clock, createUserWithToken } = await start()
  const first = await inviting('bob@example.com')
  const token = await createUserWithToken('eve')
  const useUp = async () => {
    for (let n = 0; n < 3; n++) {
      await request.post('invitations/', { email: 'bob@example.com' }, { token })
    }
  }
  await useUp()
  clock.advance(60_000)
  expect(await inviting('bob@example.com')).toMatchReply(201, first.body)

  clock.advance(8 * DAY)
  await useUp()
  const sent = await mail.of('invitation')
  expect(await inviting('bob@example.com')).toMatchReply(201, {
    id: 1,
    email: 'bob@example.com',
    created_at: '2030-01-09T12:01:00.000Z',
    expires_at: '2030-01-16T12:01:00.000Z',
  })
  expect(await mail.of('invitation')).toEqual(sent)
})

test('an inviter who is deactivated or deleted lets nobody in any more', async () => {
  const started = await start()
  const { request, inviting, administration, findUser, db } = started
  await inviting('bob@example.com')
  const invitation = await keyFor(started, 'bob@example.com')
  const register = () =>
    request.post('registration/', { ...signup('bob'), email: undefined, invitation })
  await administration.deactivate(await findUser('ada'))
  expect((await register()).status).toBe(400)
  await administration.remove(await findUser('ada'))
  expect((await register()).status).toBe(400)
  expect(await countRows(db, 'invitations')).toBe(0)
  expect(await countRows(db, 'users')).toBe(0)
})

test('the export of an account has its invitations', async () => {
  const { request, token, inviting } = await start()
  await inviting('bob@example.com')
  const { body } = await request.get('account/export/', { token })
  expect(body).toMatchObject({ invitations: [{ email: 'bob@example.com' }] })
})

test('only operators invite unless the setting says otherwise', async () => {
  const { request, createUserWithToken } = await startAuth(INVITED)
  const token = await createUserWithToken('ada')
  const reply = await request.post('invitations/', { email: 'bob@example.com' }, { token })
  expect(reply).toMatchReply(404, NOT_FOUND)
})

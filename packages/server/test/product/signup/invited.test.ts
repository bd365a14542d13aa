import { expect, test } from 'vitest'
import { signup } from '../../support/accounts.ts'
import { ACTOR } from '../../support/administration.ts'
import { KEY } from '../../support/answers.ts'
import { type CreationOptions, createAuthenticator } from '../../support/authenticator.ts'
import { fromClient } from '../../support/client.ts'
import { countRows } from '../../support/dump.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { BY_USERS, INVITED, invite, keyFor } from '../../support/invitations.ts'
import { startAuth } from '../../support/start-auth.ts'

const DAY = 24 * 60 * 60 * 1000
const REQUIRED = { detail: 'Registration is by invitation.' }
const INVALID = { invitation: ['This invitation is not valid, or no longer.'] }
const UNUSABLE = { email: ['This e-mail address cannot be used here.'] }

test('without an invitation nobody registers, and no field is looked at', async () => {
  const { request, createUser, db, mail } = await startAuth(INVITED)
  await createUser({ username: 'ada', email: 'ada@example.com' })
  const attempts = [
    {},
    signup('bob'),
    signup('ada', 'ada@example.com'),
    { ...signup('bob'), invitation: '' },
    { ...signup('bob'), invitation: null },
    { ...signup('bob'), invitation: ['x'] },
  ]
  for (const body of attempts) {
    expect(await request.post('registration/', body)).toMatchReply(403, REQUIRED)
  }
  for (const invitation of ['x', 'x'.repeat(4096), 7]) {
    const body = { ...signup('ada', 'ada@example.com'), invitation }
    expect(await request.post('registration/', body)).toMatchReply(400, INVALID)
  }
  expect(await countRows(db, 'users')).toBe(1)
  expect(await mail.letters()).toEqual([])
})

test('an invitation is mailed, and opens one account with a proved address', async () => {
  const started = await startAuth({
    ACCOUNT: { SIGNUP: 'invited', EMAIL_VERIFICATION: 'mandatory' },
    USER_FIELDS: { team: { type: 'string', editable: false } },
  })
  const { request, mail, db, findUser } = started
  const key = await invite(started, 'Bob@Example.com', {
    groups: ['editors'],
    fields: { team: 'blue' },
  })
  expect(await mail.letters()).toEqual([
    {
      to: 'bob@example.com',
      template: 'invitation',
      values: {
        key,
        link: `http://localhost:8000/account/invitation/${key}`,
        date: '2030-01-08',
      },
    },
  ])
  const body = { ...signup('bob'), email: undefined, invitation: key }
  const reply = await request.post('registration/', body)
  expect(reply).toMatchReply(201, KEY)
  expect(await findUser('bob')).toMatchObject({
    email: 'bob@example.com',
    email_verified: 1,
    group_names: '["editors"]',
    extra: '{"team":"blue"}',
  })
  expect(await mail.templates()).toEqual(['invitation'])
  expect(await countRows(db, 'invitations')).toBe(0)
  const again = { ...signup('eve', 'bob@example.com'), invitation: key }
  expect(await request.post('registration/', again)).toMatchReply(400, INVALID)
})

test('it is good for its own address only', async () => {
  const started = await startAuth(INVITED)
  const { request, db } = started
  const invitation = await invite(started, 'bob@example.com')
  const other = { ...signup('bob', 'eve@example.com'), invitation }
  expect(await request.post('registration/', other)).toMatchReply(400, UNUSABLE)
  expect(await countRows(db, 'users')).toBe(0)
  const own = { ...signup('bob', 'BOB@example.COM'), invitation }
  expect(await request.post('registration/', own)).toMatchReply(201, KEY)
})

test('a refused registration does not spend it', async () => {
  const started = await startAuth(INVITED)
  const { request, createUser } = started
  await createUser({ username: 'bob' })
  const invitation = await invite(started, 'bob@example.com')
  expect(
    await request.post('registration/', { ...signup('bob'), invitation, password1: '1' }),
  ).toMatchReply(400, { username: expect.any(Array), password1: expect.any(Array) })
  const good = { ...signup('bobby'), email: undefined, invitation }
  expect(await request.post('registration/', good)).toMatchReply(201, KEY)
})

test('it expires, and another one for the same address makes it void', async () => {
  const started = await startAuth({ ...INVITED, INVITATION_EXPIRE_DAYS: 2 })
  const { request, clock } = started
  const first = await invite(started, 'bob@example.com')
  clock.advance(1)
  const second = await invite(started, 'bob@example.com')
  const bob = { ...signup('bob'), email: undefined }
  expect(await request.post('registration/', { ...bob, invitation: first })).toMatchReply(
    400,
    INVALID,
  )
  clock.advance(2 * DAY)
  expect(await request.post('registration/', { ...bob, invitation: second })).toMatchReply(
    400,
    INVALID,
  )
})

test('of 24 registrations with one key exactly one succeeds', async () => {
  const started = await startAuth({
    ...INVITED,
    ACCOUNT: { ...INVITED.ACCOUNT, RATE_LIMITS: { signup: 'none' } },
  })
  const { request, db } = started
  const invitation = await invite(started, 'bob@example.com')
  const replies = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      request.post('registration/', { ...signup(`bob${n}`), email: undefined, invitation }),
    ),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(replies.filter(({ status }) => status >= 500)).toEqual([])
  expect(await countRows(db, 'users')).toBe(1)
  expect(await countRows(db, 'invitations')).toBe(0)
})

test('of parallel registrations with two invitations of one address one succeeds', async () => {
  const started = await startAuth(BY_USERS)
  const { request, db, createUserWithToken } = started
  const keys: string[] = []
  for (const name of ['ada', 'grace']) {
    const token = await createUserWithToken(name)
    await request.post('invitations/', { email: 'bob@example.com' }, { token })
    started.clock.advance(1)
    keys.push(await keyFor(started, 'bob@example.com'))
  }
  const replies = await Promise.all(
    keys.flatMap((invitation, n) =>
      [0, 1, 2].map((m) =>
        request.post('registration/', { ...signup(`bob${n}${m}`), email: undefined, invitation }),
      ),
    ),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(replies.filter(({ status }) => status >= 500)).toEqual([])
  expect(await countRows(db, 'users')).toBe(3)
})

test('a first social login needs one, and later ones do not', async () => {
  const idp = await startHostileProvider()
  const started = await startAuth({ ...idp.settings(), ...INVITED })
  const { request, clock, db, findUser } = started
  const logIn = async (more: object = {}) =>
    request.post('idp/', {
      id_token: await idp.idToken(clock, { email: 'b@other.example', email_verified: true }),
      ...more,
    })
  expect(await logIn()).toMatchReply(403, REQUIRED)
  clock.advance(1000)
  expect(await logIn({ invitation: 'x' })).toMatchReply(400, INVALID)
  expect(await countRows(db, 'users')).toBe(0)
  expect(await countRows(db, 'social_accounts')).toBe(0)
  const invitation = await invite(started, 'bob@example.com', { groups: ['editors'] })
  clock.advance(1000)
  expect(await logIn({ invitation })).toMatchReply(200, KEY)
  expect(await findUser('bob@example.com')).toMatchObject({
    email_verified: 1,
    group_names: '["editors"]',
  })
  expect(await countRows(db, 'invitations')).toBe(0)
  clock.advance(1000)
  expect(await logIn()).toMatchReply(200, KEY)
  expect(await countRows(db, 'users')).toBe(1)
})

test('every way to sign up names the value that somebody has taken since the invitation', async () => {
  const idp = await startHostileProvider()
  const USER_FIELDS = { phone: { type: 'string', unique: true } }
  const started = await startAuth({ ...idp.settings(), ...INVITED, USER_FIELDS })
  const { request, clock, db } = started
  const invitation = await invite(started, 'bob@example.com', { fields: { phone: '1' } })
  const { operations } = started.auth.services
  await operations.call(ACTOR, 'users.create', { username: 'eve', fields: { phone: '1' } })

  const id_token = await idp.idToken(clock, { email: 'b@other.example', email_verified: true })
  const { body } = await request.post('passkeys/signup/begin/', { invitation })
  const { session_id, ...options } = body as CreationOptions & { session_id: string }
  const credential = createAuthenticator().create(options)
  const replies = [
    await request.post('idp/', { id_token, invitation }),
    await request.post('registration/', { ...signup('bob'), email: undefined, invitation }),
    await request.post('passkeys/signup/complete/', { credential, session_id }),
  ]
  for (const reply of replies) {
    expect(reply).toMatchReply(400, { phone: ['This field must be unique.'] })
  }
  expect(await countRows(db, 'users')).toBe(1)
  expect(await countRows(db, 'invitations')).toBe(1)
})

test('of parallel first social logins with one invitation all succeed, as one user', async () => {
  const idp = await startHostileProvider()
  const settings = { ...idp.settings(), ...INVITED }
  const started = await startAuth(settings, { outboundMs: 60_000 })
  const { request, db } = started
  const invitation = await invite(started, 'bob@example.com')
  idp.knowAccessToken('bobs', { sub: 'bob', email: 'b@other.example', email_verified: true })
  const body = { access_token: 'bobs', invitation }
  const replies = await Promise.all(
    Array.from({ length: 24 }, (_, n) => request.post('idp/', body, fromClient(n))),
  )
  for (const reply of replies) expect(reply).toMatchReply(200, KEY)
  expect(await countRows(db, 'users')).toBe(1)
})

test('closed: neither registration nor a social login opens an account', async () => {
  const idp = await startHostileProvider()
  const { request, clock, db } = await startAuth({
    ...idp.settings(),
    ACCOUNT: { SIGNUP: 'closed' },
  })
  const closed = { detail: 'Registration is currently closed.' }
  expect(await request.post('registration/', {})).toMatchReply(403, closed)
  expect(await request.post('registration/', signup('bob'))).toMatchReply(403, closed)
  expect(await request.post('idp/', { id_token: await idp.idToken(clock) })).toMatchReply(400, {
    non_field_errors: ['Sign up is currently closed.'],
  })
  expect(await countRows(db, 'users')).toBe(0)
})

test('open: the field is nobody’s, and there is nothing to invite with', async () => {
  const { request, createUserWithToken } = await startAuth({ INVITATIONS_BY_USERS: true })
  const reply = await request.post('registration/', { ...signup('bob'), invitation: 'x' })
  expect(reply).toMatchReply(201, KEY)
  const token = await createUserWithToken('ada')
  expect((await request.get('invitations/', { token })).status).toBe(404)
})

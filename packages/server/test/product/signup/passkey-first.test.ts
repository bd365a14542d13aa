import { expect, test } from 'vitest'
import { requestReset, STRONG, signup, twice, verificationKey } from '../../support/accounts.ts'
import { KEY } from '../../support/answers.ts'
import {
  type CreationOptions,
  createAuthenticator,
  type Lies,
} from '../../support/authenticator.ts'
import type { Client } from '../../support/client.ts'
import { countRows } from '../../support/dump.ts'
import { INVITED, invite } from '../../support/invitations.ts'
import { logIn } from '../../support/passkeys.ts'
import { isDue, startRequired } from '../../support/required-factor.ts'
import { startAuth } from '../../support/start-auth.ts'

const BOB = { username: 'bob', email: 'bob@example.com' }
/** The user was there, but was not verified. The data has a new key. */
const PRESENT_ONLY = 0x41
const EXPIRED = { non_field_errors: ['Registration challenge has expired. Please start over.'] }
const FAILED = { non_field_errors: ['Registration verification failed.'] }

async function begin(request: Client, form: object = BOB) {
  const { body } = await request.post('passkeys/signup/begin/', form)
  return body as CreationOptions & { session_id: string }
}

async function signUp(
  request: Client,
  form: object = BOB,
  authenticator = createAuthenticator(),
  lies: Lies = {},
) {
  const options = await begin(request, form)
  const credential = authenticator.create(options, lies)
  const { session_id } = options
  return request.post('passkeys/signup/complete/', { credential, session_id })
}

test('an account begins with a passkey, without a password, and is logged in', async () => {
  const { request, findUser, mail, db } = await startAuth()
  const authenticator = createAuthenticator()
  expect(await signUp(request, BOB, authenticator)).toMatchReply(201, KEY)
  const user = await findUser('bob')
  expect(user).toMatchObject({ email: 'bob@example.com', email_verified: 0 })
  expect(user.password.startsWith('!')).toBe(true)
  expect(await mail.templates()).toEqual(['verify-email'])
  const passkeys = await db.selectFrom('passkeys').selectAll().execute()
  expect(passkeys).toMatchObject([{ user_id: user.id, added_unproved: 1, name: 'Passkey' }])
  expect(await countRows(db, 'passkey_challenges')).toBe(0)
  expect(await logIn(request, authenticator)).toMatchReply(200, KEY)
  expect(await logIn(request, authenticator, { name: { username: 'bob' } })).toMatchReply(200, KEY)
})

test('without a username one is made; an address is needed', async () => {
  const { request, findUser } = await startAuth()
  expect(await signUp(request, { email: 'grace@example.com' })).toMatchReply(201, KEY)
  expect(await findUser('grace@example.com')).toMatchObject({ username: 'grace' })
  expect(await request.post('passkeys/signup/begin/', { username: 'x' })).toMatchReply(400, {
    email: ['This field is required.'],
  })
})

test('begin tells nothing about who exists; complete says what registration says', async () => {
  const { request, createUser, db, mail } = await startAuth()
  await createUser(BOB)
  const taken = await request.post('passkeys/signup/begin/', BOB)
  const free = await request.post('passkeys/signup/begin/', { ...BOB, username: 'free' })
  expect(taken.status).toBe(200)
  expect(Object.keys(taken.body as object)).toEqual(Object.keys(free.body as object))
  expect(await mail.letters()).toEqual([])
  expect(await signUp(request)).toMatchReply(400, {
    username: ['A user with that username already exists.'],
    email: ['User is already registered with this e-mail address.'],
  })
  expect(await countRows(db, 'users')).toBe(1)
  expect(await countRows(db, 'passkeys')).toBe(0)
})

test('complete refuses a name that breaks the rules of the host', async () => {
  const usernameRules = (name: string) => (name === 'root' ? ['This name is reserved.'] : null)
  const { request, db } = await startAuth({}, { usernameRules })
  expect(await signUp(request, { ...BOB, username: 'root' })).toMatchReply(400, {
    username: ['This name is reserved.'],
  })
  expect(await countRows(db, 'users')).toBe(0)
})

test('complete refuses a value that somebody else has', async () => {
  const unique = { type: 'string', signup: true, unique: true }
  const { request, db } = await startAuth({ USER_FIELDS: { nick: unique } })
  expect(await signUp(request, { ...BOB, nick: 'bo' })).toMatchReply(201, KEY)
  expect(await signUp(request, { email: 'eve@example.com', nick: 'bo' })).toMatchReply(400, {
    nick: ['This field must be unique.'],
  })
  expect(await countRows(db, 'users')).toBe(1)
})

test('the language is kept as at a registration: one that is offered, unless the field is theirs', async () => {
  const LANGUAGES = ['en', 'de', 'fr']
  const { request, findUser } = await startAuth({ LANGUAGES })
  const wrong = await request.post('passkeys/signup/begin/', { ...BOB, language: 'ru' })
  expect(wrong).toMatchReply(400, { language: ['"ru" is not a valid choice.'] })
  expect(await signUp(request, { ...BOB, language: 'FR' })).toMatchReply(201, KEY)
  expect(await findUser('bob')).toMatchObject({ language: 'fr' })

  const USER_FIELDS = { language: { type: 'string', signup: true } }
  const theirs = await startAuth({ LANGUAGES, USER_FIELDS })
  expect(await signUp(theirs.request, { ...BOB, language: 'Elvish' })).toMatchReply(201, KEY)
  const extra = '{"language":"Elvish"}'
  expect(await theirs.findUser('bob')).toMatchObject({ language: null, extra })
})

test.each(['session', 'bearer'] as const)(
  '%s mode: MFA_REQUIRED does not restrict a passkey that verifies its user, and nobody else',
  async (mode) => {
    const { newBrowser, callerOf } = await startRequired(mode)
    const isRestricted = async (register: (browser: Client) => ReturnType<typeof signUp>) => {
      const browser = newBrowser()
      return isDue(callerOf(browser, await register(browser)))
    }
    const eve = { email: 'eve@example.com' }
    const lies = { flags: PRESENT_ONLY }
    expect(await isRestricted((browser) => signUp(browser))).toBe(false)
    expect(await isRestricted((browser) => signUp(browser, eve, createAuthenticator(), lies))).toBe(
      true,
    )
    const byPassword = (browser: Client) => browser.post('registration/', signup('carl'))
    expect(await isRestricted(byPassword)).toBe(true)
  },
)

test('mandatory verification: a mail first, then the passkey logs in', async () => {
  const started = await startAuth({ ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' } })
  const { request, db } = started
  const authenticator = createAuthenticator()
  const reply = await signUp(request, BOB, authenticator)
  expect(reply).toMatchReply(201, { detail: 'Verification e-mail sent.' })
  expect(reply.cookies).toEqual([])
  expect(await countRows(db, 'tokens')).toBe(0)
  expect(await logIn(request, authenticator)).toMatchReply(400, {
    non_field_errors: ['E-mail is not verified.'],
  })
  const key = await verificationKey(started, 'bob@example.com')
  await request.post('registration/verify-email/', { key })
  expect(await logIn(request, authenticator)).toMatchReply(200, KEY)
})

test('the owner of the address takes it over by a reset, and the passkey of the stranger is gone', async () => {
  const started = await startAuth()
  const { request } = started
  const stranger = createAuthenticator()
  await signUp(request, BOB, stranger)
  const { uid, token } = await requestReset(started, 'bob@example.com')
  await request.post('password/reset/confirm/', { uid, token, ...twice(STRONG) })
  expect((await logIn(request, stranger)).status).toBe(400)
  expect((await request.post('login/', { username: 'bob', password: STRONG })).status).toBe(200)
})

test('each ceremony is answered once, in time, and with its own challenge', async () => {
  const { request, clock, db } = await startAuth()
  const options = await begin(request)
  const credential = createAuthenticator().create(options)
  const { session_id } = options
  const complete = (body: object) => request.post('passkeys/signup/complete/', body)
  expect(await complete({ credential, session_id: '0'.repeat(32) })).toMatchReply(400, EXPIRED)
  const other = await begin(request)
  expect(await complete({ credential, session_id: other.session_id })).toMatchReply(400, FAILED)
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => complete({ credential, session_id })),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(await countRows(db, 'users')).toBe(1)
  const late = await begin(request, { email: 'late@example.com' })
  clock.advance(300_001)
  const made = createAuthenticator().create(late)
  expect(await complete({ credential: made, session_id: late.session_id })).toMatchReply(
    400,
    EXPIRED,
  )
  for (const wrong of ['x', [], {}, 7]) {
    const { session_id: id } = await begin(request, { email: 'x@example.com' })
    expect((await complete({ credential: wrong, session_id: id })).status).toBe(400)
  }
})

test('the ceremonies of sign-up, login and registration are not one another', async () => {
  const { request, createUserWithToken, db } = await startAuth()
  const token = await createUserWithToken('ada')
  const options = await begin(request)
  const credential = createAuthenticator().create(options)
  const { session_id } = options
  expect(
    (await request.post('passkeys/register/complete/', { credential }, { token })).status,
  ).toBe(400)
  expect((await request.post('passkeys/login/complete/', { credential, session_id })).status).toBe(
    400,
  )
  expect(await countRows(db, 'passkeys')).toBe(0)
  expect((await request.post('passkeys/signup/complete/', { credential, session_id })).status).toBe(
    201,
  )
})

test('a credential that somebody has opens no second account', async () => {
  const { request, db } = await startAuth()
  const authenticator = createAuthenticator()
  await signUp(request, BOB, authenticator)
  const options = await begin(request, { email: 'eve@example.com' })
  const credential = authenticator.create(options)
  const { session_id } = options
  const reply = await request.post('passkeys/signup/complete/', { credential, session_id })
  expect(reply).toMatchReply(400, {
    non_field_errors: ['This credential is already registered.'],
  })
  expect(await countRows(db, 'users')).toBe(1)
  expect(await countRows(db, 'passkeys')).toBe(1)
})

test('invitations and domains hold here, too', async () => {
  const invited = await startAuth(INVITED)
  const { request, findUser, db } = invited
  expect(await request.post('passkeys/signup/begin/', BOB)).toMatchReply(403, {
    detail: 'Registration is by invitation.',
  })
  const invitation = await invite(invited, 'bob@example.com', { groups: ['editors'] })
  const options = await begin(request, { username: 'bob', invitation })
  const stored = await db.selectFrom('passkey_challenges').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(invitation)
  const credential = createAuthenticator().create(options)
  const body = { credential, session_id: options.session_id }
  expect(await request.post('passkeys/signup/complete/', body)).toMatchReply(201, KEY)
  expect(await findUser('bob')).toMatchObject({
    email: 'bob@example.com',
    email_verified: 1,
    group_names: '["editors"]',
  })
  expect(await db.selectFrom('passkeys').select('added_unproved').execute()).toEqual([
    { added_unproved: 0 },
  ])

  const domains = await startAuth({ ACCOUNT: { BLOCKED_EMAIL_DOMAINS: ['example.com'] } })
  expect(await domains.request.post('passkeys/signup/begin/', BOB)).toMatchReply(400, {
    email: ['This e-mail address cannot be used here.'],
  })
  const closed = await startAuth({ ACCOUNT: { SIGNUP: 'closed' } })
  expect((await closed.request.post('passkeys/signup/begin/', BOB)).status).toBe(403)
  const off = await startAuth({ ACCOUNT: { PASSKEY_SIGNUP: false } })
  expect((await off.request.post('passkeys/signup/begin/', BOB)).status).toBe(404)
})

test('an invitation that is revoked meanwhile opens nothing', async () => {
  const invited = await startAuth(INVITED)
  const { request, auth, db } = invited
  const invitation = await invite(invited, 'bob@example.com')
  const options = await begin(request, { invitation })
  const actor = { kind: 'cli', name: 'test', may: 'all' } as const
  await auth.services.operations.call(actor, 'invitations.revoke', { id: '1' })
  const credential = createAuthenticator().create(options)
  const body = { credential, session_id: options.session_id }
  expect((await request.post('passkeys/signup/complete/', body)).status).toBe(400)
  expect(await countRows(db, 'users')).toBe(0)
})

import { pbkdf2Sync } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { HOUR } from '../../../src/kernel/clock.ts'
import { requestReset, STRONG, twice } from '../../support/accounts.ts'
import { countRows } from '../../support/dump.ts'
import { challengeOf, createUserWithMfa } from '../../support/mfa.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../../support/start-auth.ts'

const SENT = { detail: 'Password reset e-mail has been sent.' }
const DONE = { detail: 'Password has been reset with the new password.' }
const BAD_UID = { uid: ['Invalid value'] }
const BAD_TOKEN = { token: ['Invalid value'] }
const ADA = 'ada@example.com'

async function startWithAda(...options: Parameters<typeof startAuth>) {
  const started = await startAuth(...options)
  const ada = await started.createUser({ username: 'ada', email: ADA })
  return { ...started, ada }
}

const confirm = ({ request }: StartedAuth, body: object) =>
  request.post('password/reset/confirm/', body)

test('a user who forgot the password chooses a new one, once', async () => {
  const started = await startWithAda()
  const { uid, token } = await requestReset(started, ADA)
  expect(await confirm(started, { uid, token, ...twice(STRONG) })).toMatchReply(200, DONE)
  expect(await confirm(started, { uid, token, ...twice(STRONG) })).toMatchReply(400, BAD_TOKEN)

  const logIn = (password: string) => started.request.post('login/', { username: 'ada', password })
  expect((await logIn(PASSWORD)).status).toBe(400)
  expect((await logIn(STRONG)).status).toBe(200)
  expect(await started.mail.templates()).toContain('password-changed')
})

test('the first half of an MFA login does not void a token, even where it renews the hash', async () => {
  const started = await startAuth()
  await createUserWithMfa(started, 'ada')
  const hash = pbkdf2Sync(PASSWORD, 'salt', 1000, 32, 'sha256').toString('base64')
  const password = `pbkdf2_sha256$1000$salt$${hash}`
  await started.db.updateTable('users').set({ password }).execute()
  const { uid, token } = await requestReset(started, ADA)
  await challengeOf(started, 'ada')
  expect(await started.findUser('ada')).not.toMatchObject({ password })
  expect(await confirm(started, { uid, token, ...twice(STRONG) })).toMatchReply(200, DONE)
})

test('known, unknown and inactive addresses get one answer; only active users a mail', async () => {
  const started = await startWithAda()
  await started.createUser({ username: 'bob', email: 'bob@example.com', active: false })
  const ask = (email: string) => started.request.post('password/reset/', { email })
  const [known, unknown, inactive] = [
    await ask('Ada@Example.COM'),
    await ask('nobody@example.com'),
    await ask('bob@example.com'),
  ]
  for (const reply of [known, unknown, inactive]) expect(reply).toMatchReply(200, SENT)
  expect(Object.keys(unknown.headers)).toEqual(Object.keys(known.headers))
  expect(await started.mail.letters()).toMatchObject([{ to: ADA, template: 'reset-password' }])
  // An unknown address causes as many rows as a known one.
  expect(await countRows(started.db, 'outbox')).toBe(3)
})

/** For requests that change nothing. */
const unmoved = await startWithAda({}, { atTheEnd: afterAll })

test.each([
  [{}, { email: ['This field is required.'] }],
  [{ email: '' }, { email: ['This field may not be blank.'] }],
  [{ email: 'x' }, { email: ['Enter a valid email address.'] }],
  [{ email: ['ada@example.com'] }, { email: ['Not a valid string.'] }],
  [{ email: 'ada@example.com,bob@example.com' }, { email: ['Enter a valid email address.'] }],
  [{ email: 'ada@example.com\nBcc: bob@example.com' }, { email: ['Enter a valid email address.'] }],
])('a reset for %j is refused', async (body, errors) => {
  expect(await unmoved.request.post('password/reset/', body)).toMatchReply(400, errors)
  expect(await unmoved.mail.letters()).toEqual([])
})

test('all fields of the confirmation are required, and all faults are reported', async () => {
  const started = await startAuth()
  const required = ['This field is required.']
  expect(await confirm(started, {})).toMatchReply(400, {
    new_password1: required,
    new_password2: required,
    uid: required,
    token: required,
  })
})

test('a uid is taken in base36 and in URL-safe base64', async () => {
  const started = await startWithAda()
  for (const form of [Buffer.from(String(started.ada.id)).toString('base64url'), 'base36']) {
    const { uid, token } = await requestReset(started, ADA)
    const sent = form === 'base36' ? uid : form
    expect(await confirm(started, { uid: sent, token, ...twice(STRONG) })).toMatchReply(200, DONE)
  }
})

test.each([
  'zzzz',
  '!!',
  '-1',
  '0',
  '１',
  '٣',
  'MTAwMDAwMDAwMDAwMDAwMDAwMDA',
  '9'.repeat(200),
  'zik0zk',
])('a uid like %s names nobody', async (uid) => {
  const started = await startWithAda()
  const { token } = await requestReset(started, ADA)
  expect(await confirm(started, { uid, token, ...twice(STRONG) })).toMatchReply(400, BAD_UID)
})

test.each(['a-b', '', ' ', 'x'.repeat(100)])('a token like %j is refused', async (token) => {
  const started = await startWithAda()
  const { uid } = await requestReset(started, ADA)
  const reply = await confirm(started, { uid, token, ...twice(STRONG) })
  const errors = token === '' ? { token: ['This field may not be blank.'] } : BAD_TOKEN
  expect(reply).toMatchReply(400, errors)
})

test('a token is valid for its own user only', async () => {
  const started = await startWithAda()
  await started.createUser({ username: 'bob', email: 'bob@example.com' })
  const { token } = await requestReset(started, ADA)
  const { uid } = await requestReset(started, 'bob@example.com')
  expect(await confirm(started, { uid, token, ...twice(STRONG) })).toMatchReply(400, BAD_TOKEN)
})

test('the token is checked before the password, and a weak password does not burn it', async () => {
  const started = await startWithAda()
  const { uid, token } = await requestReset(started, ADA)
  const bad = { uid, token: 'a-b', ...twice('123') }
  expect(await confirm(started, bad)).toMatchReply(400, BAD_TOKEN)
  expect(await confirm(started, { uid, token, ...twice('12345678') })).toMatchReply(400, {
    new_password2: ['This password is too common.', 'This password is entirely numeric.'],
  })
  const differing = { uid, token, new_password1: STRONG, new_password2: `${STRONG}!` }
  expect(await confirm(started, differing)).toMatchReply(400, {
    new_password2: ['The two password fields didn’t match.'],
  })
  expect(await confirm(started, { uid, token, ...twice(STRONG) })).toMatchReply(200, DONE)
})

test('a token lives as long as PASSWORD_RESET_TIMEOUT says', async () => {
  const started = await startWithAda()
  const { uid, token } = await requestReset(started, ADA)
  started.clock.advance(HOUR)
  expect(await confirm(started, { uid, token, ...twice(STRONG) })).toMatchReply(400, BAD_TOKEN)
})

test.each<[string, (started: StartedAuth) => Promise<unknown>]>([
  ['a login', ({ request }) => request.post('login/', { username: 'ada', password: PASSWORD })],
  [
    'a new password',
    async ({ administration, findUser }) => {
      const ada = await findUser('ada')
      await administration.setPassword(ada, PASSWORD)
    },
  ],
  [
    'a new address',
    ({ db }) =>
      db
        .updateTable('users')
        .set({ email: 'new@example.com', email_key: 'new@example.com' })
        .execute(),
  ],
  [
    'a new address, even if the user returns to the old one',
    async ({ administration, findUser }) => {
      for (const email of ['new@example.com', ADA]) {
        await administration.set(await findUser('ada'), { address: { email } })
      }
    },
  ],
  [
    'a new address, even if it was removed and comes back',
    async ({ administration, findUser, request, mail }) => {
      await request.post('registration/resend-email/', { email: ADA })
      const { key } = (await mail.newest('verify-email', ADA)).values
      const path = `registration/account-confirm-email/${key}/`
      await request.post(path, { answer: 'not-mine' }, { headers: { accept: '*/*' } })
      expect(await findUser('ada')).toMatchObject({ email: '' })
      await administration.set(await findUser('ada'), { address: { email: ADA } })
    },
  ],
  [
    'a deactivation',
    async ({ administration, findUser }) => {
      const ada = await findUser('ada')
      await administration.deactivate(ada)
    },
  ],
])('a token dies with %s', async (_, happens) => {
  const started = await startWithAda()
  const { uid, token } = await requestReset(started, ADA)
  await happens(started)
  expect(await confirm(started, { uid, token, ...twice(STRONG) })).toMatchReply(400, BAD_TOKEN)
})

test('an operator who confirms the address leaves the token good', async () => {
  const started = await startWithAda()
  const { uid, token } = await requestReset(started, ADA)
  await started.administration.markVerified(started.ada)
  expect(await confirm(started, { uid, token, ...twice(STRONG) })).toMatchReply(200, DONE)
})

test('a failed login leaves the token good', async () => {
  const started = await startWithAda()
  const { uid, token } = await requestReset(started, ADA)
  await started.request.post('login/', { username: 'ada', password: 'wrong' })
  expect(await confirm(started, { uid, token, ...twice(STRONG) })).toMatchReply(200, DONE)
})

test('a reset lifts the lock that guesses put on the account', async () => {
  const started = await startWithAda()
  const logIn = (password: string) => started.request.post('login/', { username: 'ada', password })
  for (let i = 0; i < 11; i++) await logIn('wrong')
  expect((await logIn(PASSWORD)).status).toBe(429)
  const { uid, token } = await requestReset(started, ADA)
  await confirm(started, { uid, token, ...twice(STRONG) })
  expect((await logIn(STRONG)).status).toBe(200)
})

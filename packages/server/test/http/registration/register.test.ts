import { afterAll, expect, test } from 'vitest'
import { STRONG, signup } from '../../support/accounts.ts'
import { KEY } from '../../support/answers.ts'
import { fromClient } from '../../support/client.ts'
import { countRows } from '../../support/dump.ts'
import { startAuth } from '../../support/start-auth.ts'

const NAME_TAKEN = ['A user with that username already exists.']
const EMAIL_TAKEN = ['User is already registered with this e-mail address.']
const REQUIRED = ['This field is required.']

test('where verification is mandatory there is a mail and no credential', async () => {
  const started = await startAuth({ ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' } })
  const { request, db } = started
  const reply = await request.post('registration/', signup('bob'))
  expect(reply).toMatchReply(201, { detail: 'Verification e-mail sent.' })
  expect(reply.cookies).toEqual([])
  expect(await countRows(db, 'tokens')).toBe(0)
  expect(await countRows(db, 'logins')).toBe(0)
  expect(await started.mail.letters()).toHaveLength(1)
  const login = await request.post('login/', { username: 'bob', password: STRONG })
  expect(login).toMatchReply(400, { non_field_errors: ['E-mail is not verified.'] })
})

test('where there is no verification there is no mail', async () => {
  const started = await startAuth({ ACCOUNT: { EMAIL_VERIFICATION: 'none' } })
  expect(await started.request.post('registration/', signup('bob'))).toMatchReply(201, KEY)
  expect(await started.mail.letters()).toEqual([])
})

test('with sessions only the answer has no body', async () => {
  const { newBrowser } = await startAuth({ REST_AUTH: { TOKEN_MODEL: null } })
  const browser = newBrowser()
  expect(await browser.post('registration/', signup('bob'))).toMatchReply(204)
  expect((await browser.get('user/')).status).toBe(200)
})

test('without the module there is no registration', async () => {
  const { request } = await startAuth({ MODULES: ['mfa'] })
  const paths = ['registration/', 'registration/verify-email/', 'registration/resend-email/']
  for (const path of paths) expect((await request.post(path, {})).status).toBe(404)
  expect((await request.get('registration/account-email-verification-sent/')).status).toBe(404)
})

test('all faults of the fields are reported together', async () => {
  const { request, createUser } = await startAuth()
  await createUser({ username: 'ada', email: 'ada@example.com' })
  const register = (body: object) => request.post('registration/', body)
  expect(await register({})).toMatchReply(400, {
    username: REQUIRED,
    email: REQUIRED,
    password1: REQUIRED,
    password2: REQUIRED,
  })
  expect(await register({ username: 'ADA', email: 'nope', password1: '123' })).toMatchReply(400, {
    username: NAME_TAKEN,
    email: ['Enter a valid email address.'],
    password1: [
      'This password is too short. It must contain at least 8 characters.',
      'This password is too common.',
      'This password is entirely numeric.',
    ],
    password2: REQUIRED,
  })
})

/** For requests that change nothing. Each comes from another address, so that no limit answers. */
const unmoved = await startAuth({}, { atTheEnd: afterAll })
await unmoved.createUser({ username: 'ada', email: 'ada@example.com' })
let clients = 0
function refused(body: object) {
  clients += 1
  return unmoved.request.post('registration/', body, fromClient(clients))
}

test.each([
  ['a taken name', { username: 'ada' }, { username: NAME_TAKEN }],
  ['a taken name in another case', { username: 'ADA' }, { username: NAME_TAKEN }],
  ['a taken name in full-width letters', { username: 'ａｄａ' }, { username: NAME_TAKEN }],
  ['a taken address', { email: 'ada@example.com' }, { email: EMAIL_TAKEN }],
  ['a taken address in another case', { email: 'ADA@Example.com' }, { email: EMAIL_TAKEN }],
  ['a bad address', { email: 'nope' }, { email: ['Enter a valid email address.'] }],
  ['a blank name', { username: ' ' }, { username: ['This field may not be blank.'] }],
  [
    'a long name',
    { username: 'x'.repeat(151) },
    { username: ['Ensure this field has no more than 150 characters.'] },
  ],
  [
    'passwords that differ',
    { password2: 'other' },
    { non_field_errors: ["The two password fields didn't match."] },
  ],
  [
    'a short password',
    { password1: 'short', password2: 'short' },
    { password1: ['This password is too short. It must contain at least 8 characters.'] },
  ],
  [
    'a password like the name',
    { username: 'bob04212', password1: 'bob04212x', password2: 'bob04212x' },
    { password1: ['The password is too similar to the username.'] },
  ],
  [
    'a password like the address',
    { email: 'lantern@example.com', password1: 'lantern77', password2: 'lantern77' },
    { password1: ['The password is too similar to the email address.'] },
  ],
])('%s is refused', async (_, change, errors) => {
  const reply = await refused({ ...signup('bob'), ...change })
  expect(reply).toMatchReply(400, errors)
  expect(reply.cookies).toEqual([])
  expect(await countRows(unmoved.db, 'users')).toBe(1)
})

test.each(['a b', 'a\u200bb', 'a\u202eb', 'a\tb', 'a\nb', 'a\u00a0b', 'ad<b>', 'a\u3000b'])(
  'the name %j is refused',
  async (username) => {
    const reply = await refused({ ...signup('bob'), username })
    expect(reply).toMatchReply(400, {
      username: [
        'Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.',
      ],
    })
  },
)

test.each(['Ægir', '李明', 'müller', '__proto__', 'constructor'])(
  '%s is a name',
  async (username) => {
    const { request } = await startAuth()
    const reply = await request.post('registration/', { ...signup('bob'), username })
    expect(reply.status).toBe(201)
    const login = await request.post('login/', { username, password: STRONG })
    expect(login.status).toBe(200)
  },
)

test('nobody can make themselves staff', async () => {
  const { request, findUser } = await startAuth()
  const extra = { pk: 99, id: 99, is_active: false, is_staff: true, email_verified: true, epoch: 7 }
  await request.post('registration/', {
    ...signup('bob'),
    ...extra,
    password: 'x',
    first_name: 'B',
  })
  const bob = await findUser('bob')
  expect(bob).toMatchObject({ is_active: 1, email_verified: 0, epoch: 0, first_name: '' })
  expect(bob?.id).not.toBe(99)
})

test('a page of somebody else cannot register a visitor', async () => {
  const { request, db } = await startAuth()
  const headers = { origin: 'https://evil.example' }
  const reply = await request.post('registration/', signup('bob'), { headers })
  expect(reply.status).toBe(403)
  expect(await countRows(db, 'users')).toBe(0)
})

test('what SIGNUP_FIELDS leaves out is ignored, and a name is made from the address', async () => {
  const { request, findUser } = await startAuth({
    ACCOUNT: { SIGNUP_FIELDS: ['email*', 'password1*'] },
  })
  const register = (email: string) =>
    request.post('registration/', { email, username: 'mallory', password1: STRONG, password2: 'x' })
  expect((await register('bob@example.com')).status).toBe(201)
  expect((await register('bob@example.org')).status).toBe(201)
  expect(await findUser('bob@example.com')).toMatchObject({ username: 'bob' })
  const second = await findUser('bob@example.org')
  expect(second?.username).toMatch(/^bob\d+$/)
  expect(await register('BOB@example.org')).toMatchReply(400, { email: EMAIL_TAKEN })
})

test('what SIGNUP_FIELDS names without a star may be left out or blank', async () => {
  const started = await startAuth({
    ACCOUNT: { SIGNUP_FIELDS: ['username*', 'email', 'password1*', 'password2'] },
  })
  const { request } = started
  const bob = { username: 'bob', password1: STRONG }
  expect((await request.post('registration/', bob)).status).toBe(201)
  const eve = { username: 'eve', email: '', password1: STRONG, password2: STRONG }
  expect((await request.post('registration/', eve)).status).toBe(201)
  const differing = { username: 'joe', password1: STRONG, password2: 'other' }
  expect((await request.post('registration/', differing)).status).toBe(400)
  expect(await started.mail.letters()).toEqual([])
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { signup } from '../../support/accounts.ts'
import { KEY } from '../../support/answers.ts'
import { newDatabaseFolder } from '../../support/database-folder.ts'
import { countRows } from '../../support/dump.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { invite } from '../../support/invitations.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const REFUSED = { email: ['This e-mail address cannot be used here.'] }
const BLOCKED = ['spam.example', '*.spam.example', 'bücher.example']

test.each([
  [{ ALLOWED_EMAIL_DOMAINS: ['Example.com', '*.corp.example'] }, 'a@EXAMPLE.com', true],
  [{ ALLOWED_EMAIL_DOMAINS: ['example.com', '*.corp.example'] }, 'a@x.y.corp.example', true],
  [{ ALLOWED_EMAIL_DOMAINS: ['example.com', '*.corp.example'] }, 'a@corp.example', false],
  [{ ALLOWED_EMAIL_DOMAINS: ['example.com'] }, 'a@notexample.com', false],
  [{ ALLOWED_EMAIL_DOMAINS: ['example.com'] }, 'a@example.com.evil.example', false],
  [{ ALLOWED_EMAIL_DOMAINS: ['example.com'] }, 'a@sub.example.com', false],
  [{ BLOCKED_EMAIL_DOMAINS: BLOCKED }, 'a@fine.example', true],
  [{ BLOCKED_EMAIL_DOMAINS: BLOCKED }, 'a@SPAM.example', false],
  [{ BLOCKED_EMAIL_DOMAINS: BLOCKED }, 'a@a.b.spam.example', false],
  [{ BLOCKED_EMAIL_DOMAINS: BLOCKED }, 'a@BÜCHER.example', false],
  [{ BLOCKED_EMAIL_DOMAINS: BLOCKED }, 'a@xn--bcher-kva.example', false],
  [
    { ALLOWED_EMAIL_DOMAINS: '*.x.example', BLOCKED_EMAIL_DOMAINS: 'b.x.example' },
    'a@b.x.example',
    false,
  ],
])('%j and %s: %s', async (ACCOUNT, email, isAllowed) => {
  const { request, db, mail } = await startAuth({ ACCOUNT })
  const reply = await request.post('registration/', signup('bob', email))
  if (isAllowed) expect(reply).toMatchReply(201, KEY)
  else expect(reply).toMatchReply(400, REFUSED)
  expect(await countRows(db, 'users')).toBe(isAllowed ? 1 : 0)
  expect(await mail.letters()).toHaveLength(isAllowed ? 1 : 0)
})

test('without an address nobody gets around a list of allowed ones', async () => {
  const { request, db } = await startAuth({
    ACCOUNT: {
      SIGNUP_FIELDS: ['username*', 'email', 'password1*'],
      ALLOWED_EMAIL_DOMAINS: ['example.com'],
    },
  })
  for (const email of ['', undefined]) {
    const reply = await request.post('registration/', { ...signup('bob'), email })
    expect(reply).toMatchReply(400, REFUSED)
  }
  expect(await countRows(db, 'users')).toBe(0)
})

test('a refused address tells nothing about who has it', async () => {
  const { request, createUser, mail } = await startAuth({
    ACCOUNT: { BLOCKED_EMAIL_DOMAINS: ['example.com'] },
  })
  await createUser({ username: 'ada', email: 'ada@example.com' })
  const reply = await request.post('registration/', signup('bob', 'ada@example.com'))
  expect(reply).toMatchReply(400, REFUSED)
  expect(await mail.letters()).toEqual([])
})

test('those who are there log in, and change to allowed addresses only', async () => {
  const { request, createUserWithToken, mail } = await startAuth({
    ACCOUNT: { ALLOWED_EMAIL_DOMAINS: ['new.example'] },
  })
  const token = await createUserWithToken('ada')
  const change = (email: string) =>
    request.post('email/change/', { email, password: PASSWORD }, { token })
  expect(await change('ada@other.example')).toMatchReply(400, REFUSED)
  expect(await mail.letters()).toEqual([])
  expect((await change('ada@new.example')).status).toBe(200)
})

test('a first social login needs an allowed address that the provider vouches for', async () => {
  const idp = await startHostileProvider()
  const { request, clock, db } = await startAuth({
    ...idp.settings(),
    ACCOUNT: { ALLOWED_EMAIL_DOMAINS: ['example.com'] },
  })
  const logIn = async (claims: object) => {
    clock.advance(1000)
    return request.post('idp/', { id_token: await idp.idToken(clock, claims) })
  }
  const addresses = [
    {},
    { email: 'a@example.com' },
    { email: 'a@example.com', email_verified: false },
    { email: 'a@other.example', email_verified: true },
  ]
  for (const claims of addresses) expect(await logIn(claims)).toMatchReply(400, REFUSED)
  expect(await countRows(db, 'users')).toBe(0)
  expect((await logIn({ email: 'a@example.com', email_verified: true })).status).toBe(200)
})

test('operators invite whom they like; users do not', async () => {
  const started = await startAuth({
    ACCOUNT: { SIGNUP: 'invited', ALLOWED_EMAIL_DOMAINS: ['corp.example'] },
    INVITATIONS_BY_USERS: true,
  })
  const { request, createUserWithToken } = started
  const token = await createUserWithToken('ada')
  expect(
    await request.post('invitations/', { email: 'bob@other.example' }, { token }),
  ).toMatchReply(400, REFUSED)
  const invitation = await invite(started, 'bob@other.example')
  const body = { ...signup('bob'), email: undefined, invitation }
  expect(await request.post('registration/', body)).toMatchReply(201, KEY)
})

test('a file has one in each line; a bad one stops the start', async () => {
  const file = join(await newDatabaseFolder('domains'), 'domains.txt')
  writeFileSync(file, '# throw-away\nspam.example  # the worst\r\n\n*.trash.example\n')
  const ACCOUNT = { BLOCKED_EMAIL_DOMAINS: [`file:${file}`] }
  const { request } = await startAuth({ ACCOUNT })
  for (const email of ['a@spam.example', 'a@x.trash.example']) {
    expect(await request.post('registration/', signup('bob', email))).toMatchReply(400, REFUSED)
  }
  writeFileSync(file, 'fine.example\nnot a domain\n')
  await expect(startAuth({ ACCOUNT })).rejects.toThrow('line 2')
  const missing = { ACCOUNT: { BLOCKED_EMAIL_DOMAINS: [`file:${file}.missing`] } }
  await expect(startAuth(missing)).rejects.toThrow('cannot be read (ENOENT)')
  await expect(startAuth({ ACCOUNT: { BLOCKED_EMAIL_DOMAINS: ['a b'] } })).rejects.toThrow()
})

import { afterAll, expect, test } from 'vitest'
import { KEY, NOT_PROVIDED } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import {
  challengeOf,
  codeOf,
  createUserWithMfa,
  DEAD_TOKEN,
  MFA_REQUIRED,
  verify,
  WRONG_CODE,
} from '../../support/mfa.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const CREDENTIALS = { username: 'ada', password: PASSWORD }

test('the first half of a login gives a token and nothing else', async () => {
  const auth = await startAuth()
  await createUserWithMfa(auth, 'ada')
  const before = await auth.findUser('ada')
  const reply = await auth.request.post('login/', CREDENTIALS)
  expect(reply).toMatchReply(200, MFA_REQUIRED)
  expect(reply.cookies).toEqual([])
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(await countRows(auth.db, 'logins')).toBe(0)
  expect(await auth.findUser('ada')).toEqual(before)
})

test('the second half is the login answer, session and all', async () => {
  const auth = await startAuth()
  const { secret, token } = await createUserWithMfa(auth, 'ada')
  const challenge = await challengeOf(auth, 'ada')
  const browser = auth.newBrowser()
  const body = { ephemeral_token: challenge, code: codeOf(auth, secret) }
  const reply = await browser.post('mfa/verify/', body)
  expect(reply).toMatchReply(200, { key: token })
  expect(reply.cookies.map(({ name }) => name).toSorted()).toEqual(['csrftoken', 'sessionid'])
  expect((await browser.get('user/')).body).toMatchObject({ username: 'ada' })
  expect((await auth.findUser('ada')).last_login_at).toBe(auth.clock.now())
})

test('where there are only sessions, the second half is 204', async () => {
  const auth = await startAuth({ REST_AUTH: { TOKEN_MODEL: null } })
  await auth.createUser({ username: 'ada' })
  const browser = await auth.logInBrowser('ada')
  const offer = (await browser.get('mfa/totp/activate/')).body as Record<string, string>
  const secret = offer.secret ?? ''
  const activation = { activation_token: offer.activation_token, code: codeOf(auth, secret) }
  await browser.post('mfa/totp/activate/', activation, browser.csrf())
  const challenge = await challengeOf(auth, 'ada')
  expect(await verify(auth, challenge, codeOf(auth, secret, 1))).toMatchReply(204)
})

test('the session that came along ends with the second half, not with the first', async () => {
  const auth = await startAuth()
  const { secret } = await createUserWithMfa(auth, 'ada')
  await auth.createUser({ username: 'bob' })
  const browser = await auth.logInBrowser('bob')
  const old = { cookies: { sessionid: browser.cookie('sessionid') } }

  const half = await browser.post('login/', CREDENTIALS)
  expect((await browser.get('user/')).body).toMatchObject({ username: 'bob' })
  const { ephemeral_token } = half.body as { ephemeral_token: string }
  await browser.post('mfa/verify/', { ephemeral_token, code: codeOf(auth, secret) })
  expect((await browser.get('user/')).body).toMatchObject({ username: 'ada' })
  expect(await auth.request.get('user/', old)).toMatchReply(401, NOT_PROVIDED)
})

test('a stale credential that comes along does not matter', async () => {
  const auth = await startAuth()
  const { secret } = await createUserWithMfa(auth, 'ada')
  const challenge = await challengeOf(auth, 'ada')
  const options = { token: '0'.repeat(40), cookies: { sessionid: 'gone' } }
  const body = { ephemeral_token: challenge, code: codeOf(auth, secret) }
  expect(await auth.request.post('mfa/verify', body, options)).toMatchReply(200, KEY)
})

test('a foreign page cannot finish a login', async () => {
  const auth = await startAuth()
  const { secret } = await createUserWithMfa(auth, 'ada')
  const challenge = await challengeOf(auth, 'ada')
  const body = { ephemeral_token: challenge, code: codeOf(auth, secret) }
  const headers = { origin: 'https://evil.example' }
  expect((await auth.request.post('mfa/verify/', body, { headers })).status).toBe(403)
  expect(await auth.request.post('mfa/verify/', body)).toMatchReply(200, KEY)
})

test('both fields are required, and both faults are reported', async () => {
  const { request } = await startAuth()
  const missing = ['This field is required.']
  const reply = await request.post('mfa/verify/', {})
  expect(reply).toMatchReply(400, { ephemeral_token: missing, code: missing })
})

/** Each of its users belongs to one test. */
const shared = await startAuth({}, { atTheEnd: afterAll })
let users = 0
async function newcomer() {
  users += 1
  const username = `user${users}`
  const { secret } = await createUserWithMfa(shared, username)
  return { secret, challenge: await challengeOf(shared, username) }
}

test.each([
  ['a word', 'x'],
  ['a long one', 'x'.repeat(4096)],
  ['letters of elsewhere', 'é'],
  ['a key', '0'.repeat(40)],
])('%s is no challenge', async (_, token) => {
  expect(await verify(shared, token, '123456')).toMatchReply(400, DEAD_TOKEN)
})

test.each([
  ['with a gap', (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`],
  ['with a dash', (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
  ['with space around it', (code: string) => ` ${code}\n`],
])('a code is taken %s', async (_, typed) => {
  const { secret, challenge } = await newcomer()
  const reply = await verify(shared, challenge, typed(codeOf(shared, secret)))
  expect(reply).toMatchReply(200, KEY)
})

test('a code that was sent as a number is taken digit by digit', async () => {
  const auth = await startAuth()
  const { secret } = await createUserWithMfa(auth, 'ada')
  while (codeOf(auth, secret).startsWith('0')) auth.clock.advance(30_000)
  const reply = await verify(auth, await challengeOf(auth, 'ada'), Number(codeOf(auth, secret)))
  expect(reply).toMatchReply(200, KEY)
})

test.each([
  ['letters', 'abcdef'],
  ['full-width digits', '１２３４５６'],
  ['Arabic digits', '١٢٣٤٥٦'],
  ['accents', 'éééééé'],
  ['an emoji', '🔑🔑🔑'],
  ['an exponent', '1e5'],
  ['too few digits', '12345'],
  ['too many digits', '1234567'],
  ['a sign', '+12345'],
  ['half a recovery code', 'abcde-'],
])('%s are no code', async (_, code) => {
  const { challenge } = await newcomer()
  const reply = await verify(shared, challenge, code)
  expect(reply).toMatchReply(400, WRONG_CODE)
})

test.each([
  ['null', null, 'This field may not be null.'],
  ['a flag', true, 'Not a valid string.'],
  ['a list', ['123456'], 'Not a valid string.'],
  ['an object', { a: 1 }, 'Not a valid string.'],
  ['nothing', '', 'This field may not be blank.'],
  ['blanks', '   ', 'This field may not be blank.'],
  ['a NUL', '12345\0', 'Null characters are not allowed.'],
  ['a novel', '1'.repeat(65), 'Ensure this field has no more than 64 characters.'],
])('%s is refused as a field, and costs no try', async (_, code, text) => {
  const { secret, challenge } = await newcomer()
  for (let i = 0; i < 6; i++) {
    expect(await verify(shared, challenge, code)).toMatchReply(400, { code: [text] })
  }
  expect(await verify(shared, challenge, codeOf(shared, secret))).toMatchReply(200, KEY)
})

test("one user's challenge is not met by another's code", async () => {
  const auth = await startAuth()
  const ada = await createUserWithMfa(auth, 'ada')
  const bob = await createUserWithMfa(auth, 'bob')
  const challenge = await challengeOf(auth, 'ada')
  expect(await verify(auth, challenge, codeOf(auth, bob.secret))).toMatchReply(400, WRONG_CODE)
  expect(await verify(auth, challenge, bob.codes[0])).toMatchReply(400, WRONG_CODE)
  expect(await verify(auth, challenge, codeOf(auth, ada.secret))).toMatchReply(200, KEY)
})

test('longer codes and periods, where the settings say so', async () => {
  const auth = await startAuth({ REST_AUTH: { MFA_TOTP_DIGITS: 8, MFA_TOTP_PERIOD: 60 } })
  const { secret } = await createUserWithMfa(auth, 'ada')
  const code = codeOf(auth, secret)
  expect(code).toMatch(/^\d{8}$/)
  expect(await verify(auth, await challengeOf(auth, 'ada'), code)).toMatchReply(200, KEY)
})

test('only somebody who knows the password learns whether a user has MFA', async () => {
  const auth = await startAuth()
  await createUserWithMfa(auth, 'ada')
  await auth.createUser({ username: 'bob' })
  const replies = await Promise.all(
    ['ada', 'bob', 'nobody'].map((username) =>
      auth.request.post('login/', { username, password: 'wrong' }),
    ),
  )
  expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1)
})

test('an address that must be verified is asked for before the second factor', async () => {
  const auth = await startAuth({ ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' } })
  await auth.createUser({ username: 'ada', email: 'ada@example.com' })
  const reply = await auth.request.post('login/', CREDENTIALS)
  expect(reply).toMatchReply(400, { non_field_errors: ['E-mail is not verified.'] })
  expect(await countRows(auth.db, 'mfa_challenges')).toBe(0)
})

import { afterAll, expect, test } from 'vitest'
import { KEY, UNABLE } from '../support/answers.ts'
import { cheapHasher } from '../support/hashers.ts'
import { MULTIPART, multipart, multipartFile } from '../support/multipart.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const UNLIMITED = { ACCOUNT: { RATE_LIMITS: { login_failed: 'none' } } }
const { auth, request, createUser } = await startAuth(UNLIMITED, { atTheEnd: afterAll })
const NUMBERS = ['1', '-17', '1.0', '12345678901234567890123', '0.10000000000000000000000001']
for (const username of ['ada', ...NUMBERS]) await createUser({ username })
const LONG_NUMBER = '90071992547409931234'
await createUser({ username: 'bob', password: LONG_NUMBER })
const ODD_TEXT = `quote " and \\ and {"a": 1.50, "b": [2e5]} ${'x'.repeat(4000)}`
// Longer than a new password may be, as one that came from Django.
await auth.services.users.add({
  ...{ username: '7', email: '', verified: false, active: true },
  password: await cheapHasher().hash(ODD_TEXT),
})

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

const REQUIRED = ['This field is required.']
const BLANK = ['This field may not be blank.']
const NULL = ['This field may not be null.']
const NOT_A_STRING = ['Not a valid string.']
const NOT_AN_ADDRESS = ['Enter a valid email address.']
const NUL = ['Null characters are not allowed.']
const EITHER_NEEDED = {
  non_field_errors: ['Must include either "username" or "email" and "password".'],
}

test.each([
  ['{}', { password: REQUIRED }],
  ['{"username":"ada"}', { password: REQUIRED }],
  ['{"username":"ada","password":""}', { password: BLANK }],
  ['{"username":null,"password":null}', { username: NULL, password: NULL }],
  ['{"email":null,"password":"x"}', { email: NULL }],
  ['{"username":1,"password":true}', { password: NOT_A_STRING }],
  ['{"username":false,"password":"x"}', { username: NOT_A_STRING }],
  ['{"username":["ada"],"password":{"a":1}}', { username: NOT_A_STRING, password: NOT_A_STRING }],
  ['{"username":{},"email":[],"password":[]}', allOf(NOT_A_STRING)],
  ['{"username":"ada","email":"notmail","password":"x"}', { email: NOT_AN_ADDRESS }],
  ['{"username":"ada","email":1,"password":"x"}', { email: NOT_AN_ADDRESS }],
  ['{"email":"@example.com","password":"x"}', { email: NOT_AN_ADDRESS }],
  ['{"email":"a b@example.com","password":"x"}', { email: NOT_AN_ADDRESS }],
  ['{"email":"a@b@example.com","password":"x"}', { email: NOT_AN_ADDRESS }],
  ['{"email":"a@example","password":"x"}', { email: NOT_AN_ADDRESS }],
  ['{"email":"a@example.com,b@example.com","password":"x"}', { email: NOT_AN_ADDRESS }],
  ['{"email":"a@example.com\\nBcc: b@example.com","password":"x"}', { email: NOT_AN_ADDRESS }],
  ['{"username":"al\\u0000ice","password":"x"}', { username: NUL }],
  ['{"username":"ada","password":"x\\u0000y"}', { password: NUL }],
  [
    '{"username":"a\\ud800","password":"x"}',
    { username: ['Surrogate characters are not allowed: U+D800.'] },
  ],
  [
    '{"username":"ada","password":"\\udc00 x"}',
    { password: ['Surrogate characters are not allowed: U+DC00.'] },
  ],
  [
    '{"username":[],"email":"nope"}',
    { username: NOT_A_STRING, email: NOT_AN_ADDRESS, password: REQUIRED },
  ],
  ['{"password":"x"}', EITHER_NEEDED],
  ['{"username":"","email":"","password":"x"}', EITHER_NEEDED],
])('%s is refused field by field, all at once', async (body, wanted) => {
  const reply = await request.post('login/', body, { type: JSON_TYPE })
  expect(reply).toMatchReply(400, wanted)
  expect(reply.cookies).toEqual([])
})

test.each([
  ['nothing but space', ' '],
  ['as long as a name may be', 'x'.repeat(254)],
  ['a query', "' OR 1=1 --"],
  ['a template', '{{7*7}}'],
  ['a path', '../../etc/passwd'],
  ['the other direction', '\u202Eada'],
  ['digits of another plane', '𝟘𝟙'],
])('a password that is %s is merely wrong, for a known name and an unknown one', async (_, odd) => {
  const known = await request.post('login/', { username: 'ada', password: odd })
  expect(known).toMatchReply(400, UNABLE)
  if (odd === ' ') return
  const unknown = await request.post('login/', { username: odd, password: PASSWORD })
  expect(unknown).toMatchReply(400, UNABLE)
})

test.each(NUMBERS)(
  'the number %s in the place of a username is taken as its text',
  async (number) => {
    const body = `{"n":[{"a":1}],"username":${number},"password":"${PASSWORD}"}`
    expect(await request.post('login/', body, { type: JSON_TYPE })).toMatchReply(200, KEY)
  },
)

test('a number in the place of a password is taken as its text, digit by digit', async () => {
  const logIn = (password: string) =>
    request.post('login/', `{"username":"bob","password":${password}}`, { type: JSON_TYPE })
  expect(await logIn('90071992547409931235')).toMatchReply(400, UNABLE)
  expect(await logIn(LONG_NUMBER)).toMatchReply(200, KEY)
})

test('texts beside a number stay unchanged, even if they look like numbers', async () => {
  const body = `{"username":7,"password":${JSON.stringify(ODD_TEXT)}}`
  expect(await request.post('login/', body, { type: JSON_TYPE })).toMatchReply(200, KEY)
})

test.each([
  ['{"__proto__":{"username":"ada","password":"x"}}', { password: REQUIRED }],
  ['{"__proto__":1,"constructor":{"prototype":{"password":"x"}}}', { password: REQUIRED }],
  ['{"constructor":5,"password":"x"}', EITHER_NEEDED],
])('%s: such keys are data, never structure', async (body, wanted) => {
  expect(await request.post('login/', body, { type: JSON_TYPE })).toMatchReply(400, wanted)
  expect(Object.hasOwn(Object.prototype, 'password')).toBe(false)
})

test.each([
  ['__proto__=x&__proto__[password]=x&constructor[prototype][password]=x', FORM],
  [multipart({ __proto__x: 'x', '__proto__[password]': 'x', constructor: 'x' }), MULTIPART],
])('nor are they in the form %j', async (body, type) => {
  const reply = await request.post('login/', body, { type })
  expect(reply).toMatchReply(400, { password: REQUIRED })
  expect(({} as { password?: unknown }).password).toBeUndefined()
})

test('a user logs in beside such keys', async () => {
  const body = `{"__proto__":{"username":"bob"},"constructor":1,"username":"ada","password":"${PASSWORD}"}`
  expect(await request.post('login/', body, { type: JSON_TYPE })).toMatchReply(200, KEY)
})

test.each([
  [`{"username":"bob","username":"ada","password":"x","password":"${PASSWORD}"}`, JSON_TYPE],
  [`username=bob&username=ada&password=x&password=${PASSWORD}`, FORM],
])('of a key sent twice the last one counts: %s', async (body, type) => {
  expect(await request.post('login/', body, { type })).toMatchReply(200, KEY)
})

test('names in the address of the request are no fields', async () => {
  const reply = await request.post(`login/?username=ada&password=${PASSWORD}`, {})
  expect(reply).toMatchReply(400, { password: REQUIRED })
})

test('a file in the place of a text is not a valid string', async () => {
  const reply = await request.post('login/', multipartFile('password', 'x'), { type: MULTIPART })
  expect(reply).toMatchReply(400, { password: NOT_A_STRING })
})

function allOf(messages: string[]) {
  return { username: messages, email: messages, password: messages }
}

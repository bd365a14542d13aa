import { afterAll, expect, test } from 'vitest'
import { INVALID_TOKEN, KEY, LOGGED_OUT, NOT_PROVIDED } from '../support/answers.ts'
import { countRows, dump } from '../support/dump.ts'
import { connectBeside, onPostgres, waitForWaiter } from '../support/postgres.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const DAY = 86_400_000

test('every device gets the same key, until a logout; then there is a new one', async () => {
  const { request, createUser, clock } = await startAuth()
  await createUser({ username: 'ada', email: 'ada@example.com' })
  const logIn = async (name: object) => {
    const reply = await request.post('login/', { ...name, password: PASSWORD })
    return (reply.body as { key: string }).key
  }
  const first = await logIn({ username: 'ada' })
  clock.advance(400 * DAY)
  expect(await logIn({ email: 'ada@example.com' })).toBe(first)
  expect(await logIn({ username: 'ADA' })).toBe(first)
  expect((await request.get('user/', { token: first })).status).toBe(200)

  expect(await request.post('logout/', {}, { token: first })).toMatchReply(200, LOGGED_OUT)
  const second = await logIn({ username: 'ada' })
  expect(second).not.toBe(first)
  expect(await request.get('user/', { token: first })).toMatchReply(401, INVALID_TOKEN)
  expect((await request.get('user/', { token: second })).status).toBe(200)
})

test('each user has their own key', async () => {
  const { request, createUserWithToken } = await startAuth()
  const names = ['ada', 'bob', 'cy']
  const keys = await Promise.all(names.map((name) => createUserWithToken(name)))
  expect(new Set(keys).size).toBe(3)
  for (const [i, token] of keys.entries()) {
    expect((await request.get('user/', { token })).body).toMatchObject({ username: names[i] })
  }
})

test('many parallel first logins all get the same key', async () => {
  const { request, createUser, db } = await startAuth()
  await createUser({ username: 'ada' })
  const credentials = { username: 'ada', password: PASSWORD }
  const replies = await Promise.all(
    Array.from({ length: 24 }, () => request.post('login/', credentials)),
  )
  for (const reply of replies) expect(reply).toMatchReply(200, KEY)
  expect(new Set(replies.map(({ body }) => (body as { key: string }).key)).size).toBe(1)
  expect(await countRows(db, 'tokens')).toBe(1)
})

test.each(['Token', 'token', 'TOKEN', 'tOkEn'])('the word %s carries a key', async (word) => {
  const { request, createUserWithToken } = await startAuth()
  const key = await createUserWithToken('ada')
  const reply = await request.get('user/', { headers: { authorization: `${word} ${key}` } })
  expect(reply.status).toBe(200)
})

/** All credentials are bad, so these requests change nothing. */
const quiet = await startQuiet()

async function startQuiet() {
  const auth = await startAuth({}, { atTheEnd: afterAll })
  return { ...auth, token: await auth.createUserWithToken('ada') }
}

const EMPTY = { detail: 'Invalid token header. No credentials provided.' }
const SPACES = { detail: 'Invalid token header. Token string should not contain spaces.' }

test.each([
  ['Token', EMPTY],
  ['Token ', EMPTY],
  ['token   ', EMPTY],
  ['Token a b', SPACES],
  [`Token ${'0'.repeat(40)} x`, SPACES],
  [`Token ${'0'.repeat(40)}`, INVALID_TOKEN],
  ['Token x', INVALID_TOKEN],
  ["Token ' OR 1=1", SPACES],
  ["Token 'OR'1'='1", INVALID_TOKEN],
  ['Token \xff\xfe', INVALID_TOKEN],
  ['Token null', INVALID_TOKEN],
  [`Token ${'f'.repeat(10_000)}`, INVALID_TOKEN],
  ['', NOT_PROVIDED],
  ['x', NOT_PROVIDED],
  ['Bearer', NOT_PROVIDED],
  ['Bearer eyJhbGciOiJub25lIn0.e30.', NOT_PROVIDED],
  ['Basic YWRhOng=', NOT_PROVIDED],
  ['Tokens x', NOT_PROVIDED],
])('the header %j opens nothing: %o', async (authorization, wanted) => {
  const { request, token } = quiet
  const options = { headers: { authorization } }
  for (const reply of [
    await request.get('user/', options),
    await request.patch('user/', { first_name: 'X' }, options),
  ]) {
    expect(reply).toMatchReply(401, wanted)
    expect(reply.headers['www-authenticate']).toBe('Token')
  }
  expect((await request.get('user/', { token })).body).toMatchObject({ first_name: '' })
})

test('a key is taken exactly: neither in upper case, nor cut, nor lengthened', async () => {
  const { request, createUserWithToken } = await startAuth()
  const key = await createUserWithToken('ada')
  for (const token of [key.toUpperCase(), key.slice(0, -1), `${key}0`, `${key.slice(0, -1)}g`]) {
    if (token === key) continue
    expect(await request.get('user/', { token })).toMatchReply(401, INVALID_TOKEN)
  }
})

test('a key in the address, the body or a cookie is no credential', async () => {
  const { request, createUserWithToken } = await startAuth()
  const key = await createUserWithToken('ada')
  const cookies = { token: key, key, Authorization: `Token ${key}`, sessionid: key }
  expect(await request.get(`user/?token=${key}&key=${key}`)).toMatchReply(401, NOT_PROVIDED)
  expect(await request.get('user/', { cookies })).toMatchReply(401, NOT_PROVIDED)
  expect(await request.patch('user/', { token: key, key })).toMatchReply(401, NOT_PROVIDED)
})

test('without a credential the answer says so', async () => {
  const { request } = await startAuth()
  const reply = await request.get('user/')
  expect(reply).toMatchReply(401, NOT_PROVIDED)
  expect(reply.headers['www-authenticate']).toBe('Token')
})

test('the key of an inactive user is refused at once, and works again when the user is active', async () => {
  const { request, createUserWithToken, administration, findUser } = await startAuth()
  const token = await createUserWithToken('ada')
  const ada = await findUser('ada')
  await administration.deactivate(ada)
  const refused = { detail: 'User inactive or deleted.' }
  const reply = await request.get('user/', { token })
  expect(reply).toMatchReply(401, refused)
  expect(reply.headers['www-authenticate']).toBe('Token')
  expect(await request.post('logout/', {}, { token })).toMatchReply(401, refused)

  await administration.activate(ada)
  expect((await request.get('user/', { token })).status).toBe(200)
})

test('the key of a deleted user is nobody’s, and the pk is not used again', async () => {
  const { request, createUser, createUserWithToken, administration, findUser } = await startAuth()
  const token = await createUserWithToken('ada')
  const ada = await findUser('ada')
  await administration.remove(ada)
  expect(await request.get('user/', { token })).toMatchReply(401, INVALID_TOKEN)
  expect((await createUser({ username: 'bob' })).id).toBeGreaterThan(ada.id)
  expect(await request.get('user/', { token })).toMatchReply(401, INVALID_TOKEN)
})

test.each([
  ['a new password', 'setPassword' as const],
  ['a revocation', 'revoke' as const],
])('%s by the operator ends the key', async (_, action) => {
  const { request, createUserWithToken, administration, findUser } = await startAuth()
  const token = await createUserWithToken('ada')
  const ada = await findUser('ada')
  await administration[action](ada, 'the new password')
  expect(await request.get('user/', { token })).toMatchReply(401, INVALID_TOKEN)
})

test('a stolen database contains no key', async () => {
  const { request, createUserWithToken, db } = await startAuth()
  const key = await createUserWithToken('ada')
  const values = await dump(db)
  expect(values).toContain('ada')
  const all = values.join('\n').toLowerCase()
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    expect(all).not.toContain(Buffer.from(key).toString(encoding).replace(/=+$/, '').toLowerCase())
    expect(all).not.toContain(
      Buffer.from(key, 'hex').toString(encoding).replace(/=+$/, '').toLowerCase(),
    )
  }
  for (const value of values.filter((one) => /^[!-~]+$/.test(one))) {
    expect((await request.get('user/', { token: value })).status, value).toBe(401)
  }
})

test.runIf(onPostgres).each([
  ['an expired key is swept', 2 * DAY],
  ['the key is ended by a logout', 0],
])('%s during a login, which makes another', async (_, age) => {
  const auth = await startAuth({ TOKEN_LIFETIME: '1d' }, { shared: true })
  const { request, clock } = auth
  const old = await auth.createUserWithToken('ada')
  clock.advance(age)
  const operator = await connectBeside(auth)
  await operator.query('begin')
  await operator.query('delete from tokens')
  const login = request.post('login/', { username: 'ada', password: PASSWORD })
  await waitForWaiter(operator, login)
  await operator.query('commit')
  const reply = await login
  expect(reply).toMatchReply(200, KEY)
  const { key } = reply.body as { key: string }
  expect(key).not.toBe(old)
  expect((await request.get('user/', { token: key })).status).toBe(200)
})

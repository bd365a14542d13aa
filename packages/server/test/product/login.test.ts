import { expect, test } from 'vitest'
import { KEY, UNABLE } from '../support/answers.ts'
import { countRows } from '../support/dump.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

test('a user logs in with a username and gets a key', async () => {
  const { request, createUser } = await startAuth()
  const ada = await createUser({ username: 'ada', email: 'ada@example.com' })
  const reply = await request.post('login/', { username: 'ada', password: PASSWORD })
  expect(reply).toMatchReply(200, KEY)
  const { key } = reply.body as { key: string }
  expect(await request.get('user/', { token: key })).toMatchReply(200, {
    pk: ada.id,
    username: 'ada',
    email: 'ada@example.com',
    first_name: '',
    last_name: '',
  })
})

test('a login sets a session and a CSRF cookie beside the key', async () => {
  const { request, createUser } = await startAuth()
  await createUser({ username: 'ada' })
  const reply = await request.post('login/', { username: 'ada', password: PASSWORD })
  expect(reply.cookies.map(({ name }) => name).toSorted()).toEqual(['csrftoken', 'sessionid'])
})

test('a wrong password is refused and counted, and leaves nothing behind', async () => {
  const { request, createUser, db, auth } = await startAuth()
  await createUser({ username: 'ada' })
  const reply = await request.post('login/', { username: 'ada', password: 'wrong' })
  expect(reply).toMatchReply(400, UNABLE)
  expect(reply.cookies).toEqual([])
  expect(await countRows(db, 'tokens')).toBe(0)
  expect(await countRows(db, 'logins')).toBe(0)
  expect(await auth.metrics.text()).toContain('latchkey_logins_total{outcome="failure"} 1')
})

test('every success is recorded as the last login, a failure is not', async () => {
  const { request, createUser, clock, findUser } = await startAuth()
  await createUser({ username: 'ada' })
  const lastLogin = async () => (await findUser('ada')).last_login_at

  await request.post('login/', { username: 'ada', password: 'wrong' })
  expect(await lastLogin()).toBeNull()

  const times: number[] = []
  for (const _ of [1, 2]) {
    clock.advance(1000)
    times.push(clock.now())
    await request.post('login/', { username: 'ada', password: PASSWORD })
    expect(await lastLogin()).toBe(clock.now())
  }
  clock.advance(1000)
  await request.post('login/', { username: 'ada', password: 'wrong' })
  expect(await lastLogin()).toBe(times.at(-1))
})

test('where both are given, the address counts and not the username', async () => {
  const { request, createUser } = await startAuth()
  await createUser({ username: 'ada', email: 'ada@example.com' })
  await createUser({ username: 'bob', email: 'bob@example.com', password: 'the one of bob' })
  const asked = { username: 'ada', password: PASSWORD }
  const nobody = { ...asked, email: 'nobody@example.com' }
  expect(await request.post('login/', nobody)).toMatchReply(400, UNABLE)
  const bob = { ...asked, email: 'bob@example.com' }
  expect(await request.post('login/', bob)).toMatchReply(400, UNABLE)
  const ada = { ...asked, username: 'bob', email: 'ada@example.com' }
  expect(await request.post('login/', ada)).toMatchReply(200, KEY)
})

test('a password is taken exactly as it is sent', async () => {
  const { request, createUser } = await startAuth()
  await createUser({ username: 'ada', password: ' päss word\t' })
  const logIn = (password: string) => request.post('login/', { username: 'ada', password })
  for (const other of ['päss word', ' päss word', ' PÄSS WORD\t', ' pa\u0308ss word\t']) {
    expect(await logIn(other)).toMatchReply(400, UNABLE)
  }
  expect(await logIn(' päss word\t')).toMatchReply(200, KEY)
})

test('an inactive user cannot log in, and can as soon as they are active again', async () => {
  const { request, createUser, administration, db } = await startAuth()
  const ada = await createUser({ username: 'ada', active: false })
  const credentials = { username: 'ada', password: PASSWORD }
  const refused = await request.post('login/', credentials)
  expect(refused).toMatchReply(400, UNABLE)
  expect(refused.cookies).toEqual([])
  expect(await countRows(db, 'tokens')).toBe(0)

  await administration.activate(ada)
  expect(await request.post('login/', credentials)).toMatchReply(200, KEY)
})

test('a deleted user cannot log in', async () => {
  const { request, createUser, administration } = await startAuth()
  await administration.remove(await createUser({ username: 'ada' }))
  const reply = await request.post('login/', { username: 'ada', password: PASSWORD })
  expect(reply).toMatchReply(400, UNABLE)
})

test('after a new password was set only that one logs in', async () => {
  const { request, createUser, administration } = await startAuth()
  await administration.setPassword(await createUser({ username: 'ada' }), 'the new password')
  const logIn = (password: string) => request.post('login/', { username: 'ada', password })
  expect(await logIn(PASSWORD)).toMatchReply(400, UNABLE)
  expect(await logIn('the new password')).toMatchReply(200, KEY)
})

test('where verification is mandatory, only the right password learns that it is missing', async () => {
  const { request, createUser, db } = await startAuth({
    ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' },
  })
  await createUser({ username: 'ada', email: 'ada@example.com' })
  await createUser({ username: 'bob', email: 'bob@example.com', verified: true })
  const logIn = (username: string, password: string) =>
    request.post('login/', { username, password })

  expect(await logIn('ada', 'wrong')).toMatchReply(400, UNABLE)
  const reply = await logIn('ada', PASSWORD)
  expect(reply).toMatchReply(400, { non_field_errors: ['E-mail is not verified.'] })
  expect(reply.cookies).toEqual([])
  expect(await countRows(db, 'tokens')).toBe(0)
  expect(await countRows(db, 'logins')).toBe(0)
  expect(await logIn('bob', PASSWORD)).toMatchReply(200, KEY)
})

test.each(['optional', 'none'])('where verification is %s, login does not wait', async (mode) => {
  const { request, createUser } = await startAuth({ ACCOUNT: { EMAIL_VERIFICATION: mode } })
  await createUser({ username: 'ada', email: 'ada@example.com' })
  const reply = await request.post('login/', { username: 'ada', password: PASSWORD })
  expect(reply).toMatchReply(200, KEY)
})

test.each([
  ['a key that was never one', { headers: { authorization: `Token ${'0'.repeat(40)}` } }],
  ['an empty token header', { headers: { authorization: 'Token' } }],
  ['a token header with spaces', { headers: { authorization: 'Token a b' } }],
  ['a foreign scheme', { headers: { authorization: 'Bearer x.y.z' } }],
  ['a stale session', { cookies: { sessionid: 'gone', csrftoken: 'gone' } }],
])('a login goes through whatever bad credential comes along: %s', async (_, options) => {
  const { request, createUser } = await startAuth()
  await createUser({ username: 'ada' })
  const reply = await request.post('login/', { username: 'ada', password: PASSWORD }, options)
  expect(reply).toMatchReply(200, KEY)
})

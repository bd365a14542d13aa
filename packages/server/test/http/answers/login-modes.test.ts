import { afterAll, expect, test } from 'vitest'
import { KEY, NOT_PROVIDED, UNABLE } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import { MULTIPART, multipart } from '../../support/multipart.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const FORM = 'application/x-www-form-urlencoded'

const must = (what: string) => [400, { non_field_errors: [`Must include ${what}.`] }] as const
const EMAIL_NEEDED = must('"email" and "password"')
const USERNAME_NEEDED = must('"username" and "password"')
const EITHER_NEEDED = must('either "username" or "email" and "password"')

test('without sessions a login answers with the key alone and sets no cookie', async () => {
  const { request, createUser, db } = await startAuth({ REST_AUTH: { SESSION_LOGIN: false } })
  await createUser({ username: 'ada' })
  const reply = await request.post('login/', { username: 'ada', password: PASSWORD })
  expect(reply).toMatchReply(200, KEY)
  expect(reply.cookies).toEqual([])
  expect(await countRows(db, 'logins')).toBe(0)
})

test('without tokens a login answers 204 with no body, and the session is the credential', async () => {
  const { createUser, newBrowser, db } = await startAuth({ REST_AUTH: { TOKEN_MODEL: null } })
  await createUser({ username: 'ada' })
  const browser = newBrowser()
  const reply = await browser.post('login/', { username: 'ada', password: PASSWORD })
  expect(reply).toMatchReply(204)
  expect(reply.cookies.map(({ name }) => name).toSorted()).toEqual(['csrftoken', 'sessionid'])
  expect(await countRows(db, 'tokens')).toBe(0)
  expect((await browser.get('user/')).body).toMatchObject({ username: 'ada' })
})

test('without tokens the word Token is no credential', async () => {
  const { request } = await startAuth({ REST_AUTH: { TOKEN_MODEL: null } })
  const reply = await request.get('user/', { token: '0'.repeat(40) })
  expect(reply).toMatchReply(401, NOT_PROVIDED)
})

test('without sessions a session cookie is no credential', async () => {
  const first = await startAuth({}, { shared: true })
  await first.createUser({ username: 'ada' })
  const sessionid = (await first.logInBrowser('ada')).cookie('sessionid')
  const { request } = await startAuth({ REST_AUTH: { SESSION_LOGIN: false } }, { beside: first })
  const reply = await request.get('user/', { cookies: { sessionid } })
  expect(reply).toMatchReply(401, NOT_PROVIDED)
})

const ada = { username: 'ada' }
const adaByMail = { email: 'ada@example.com' }
const mailAsUsername = { username: 'ada@example.com' }

const services = Object.fromEntries(
  await Promise.all(
    ['username,email', 'email', 'username'].map(async (methods) => {
      const settings = { ACCOUNT: { LOGIN_METHODS: methods } }
      const auth = await startAuth(settings, { atTheEnd: afterAll })
      await auth.createUser({ username: 'ada', email: 'ada@example.com' })
      return [methods, auth.request] as const
    }),
  ),
)

test.each([
  ['username,email', ada, [200, KEY]],
  ['username,email', adaByMail, [200, KEY]],
  ['username,email', mailAsUsername, [200, KEY]],
  ['username,email', { username: '', ...adaByMail }, [200, KEY]],
  ['username,email', { ...ada, email: '' }, [200, KEY]],
  ['username,email', {}, EITHER_NEEDED],
  ['username,email', { username: '', email: '' }, EITHER_NEEDED],
  ['username,email', { username: '  ', email: ' ' }, EITHER_NEEDED],
  ['email', adaByMail, [200, KEY]],
  ['email', { username: 'nobody', ...adaByMail }, [200, KEY]],
  ['email', ada, EMAIL_NEEDED],
  ['email', mailAsUsername, EMAIL_NEEDED],
  ['email', { ...ada, email: '' }, EMAIL_NEEDED],
  ['username', ada, [200, KEY]],
  ['username', { ...ada, email: 'nobody@example.com' }, [200, KEY]],
  ['username', mailAsUsername, [400, UNABLE]],
  ['username', adaByMail, USERNAME_NEEDED],
  ['username', { username: '', ...adaByMail }, USERNAME_NEEDED],
] as const)('with LOGIN_METHODS %s, %o is answered %o', async (methods, body, [status, wanted]) => {
  const reply = await services[methods]?.post('login/', { ...body, password: PASSWORD })
  expect(reply).toMatchReply(status, wanted)
})

test('names are matched without regard to case and surrounding space', async () => {
  const { request, createUser } = await startAuth()
  await createUser({ username: 'Ada', email: 'Ada@Example.com' })
  const spellings = [
    { username: 'ada' },
    { username: 'ADA' },
    { username: '\t Ada \n' },
    { username: 'ＡＤＡ' },
    { username: 'aDa@eXample.COM' },
    { email: 'ada@example.com' },
    { email: ' ADA@EXAMPLE.COM ' },
  ]
  for (const spelling of spellings) {
    const reply = await request.post('login/', { ...spelling, password: PASSWORD })
    expect(reply, JSON.stringify(spelling)).toMatchReply(200, KEY)
  }
})

test('a user whose username is the address of another cannot take over that login', async () => {
  const { request, createUser } = await startAuth()
  await createUser({ username: 'ada', email: 'ada@example.com' })
  await createUser({ username: 'ada@example.com', password: 'the one of mallory' })
  const whoWith = async (password: string) => {
    const reply = await request.post('login/', { ...mailAsUsername, password })
    expect(reply).toMatchReply(200, KEY)
    const { key } = reply.body as { key: string }
    return (await request.get('user/', { token: key })).body
  }
  expect(await whoWith(PASSWORD)).toMatchObject({ username: 'ada' })
  expect(await whoWith('the one of mallory')).toMatchObject({ username: 'ada@example.com' })
})

test('a user without an address is not found by an empty one', async () => {
  const { request, createUser } = await startAuth({ ACCOUNT: { LOGIN_METHODS: 'email' } })
  await createUser({ username: 'ada' })
  const reply = await request.post('login/', { email: ' ', password: PASSWORD })
  expect(reply).toMatchReply(...EMAIL_NEEDED)
})

test.each([
  ['login/', JSON.stringify({ ...ada, password: PASSWORD }), 'application/json'],
  ['login', JSON.stringify({ ...ada, password: PASSWORD }), 'application/json'],
  ['login/', new URLSearchParams({ ...ada, password: PASSWORD }).toString(), FORM],
  [
    'login',
    new URLSearchParams({ ...ada, password: PASSWORD }).toString(),
    `${FORM}; charset=UTF-8`,
  ],
  ['login/', multipart({ ...ada, password: PASSWORD }), MULTIPART],
])('%s takes %j as %s', async (path, body, type) => {
  const { request, createUser } = await startAuth()
  await createUser({ username: 'ada' })
  const reply = await request.post(path, body, { type, headers: { accept: 'text/html' } })
  expect(reply).toMatchReply(200, KEY)
  expect(reply.headers['content-type']).toMatch(/^application\/json/)
})

test.each([
  ['__proto__'],
  ['constructor'],
  ['hasOwnProperty'],
  ['12345678901234567890'],
  ['жанна'],
])('%s is a username like any other', async (username) => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken(username)
  expect((await request.get('user/', { token })).body).toMatchObject({ username })
})

import { describe, expect, test } from 'vitest'
import { signup } from '../../support/accounts.ts'
import { KEY, NOT_FOUND, NOT_PROVIDED, UNABLE } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import { COOKIES } from '../../support/jwt.ts'
import { codeOf, createUserWithMfa, WRONG_CODE, wrongCode } from '../../support/mfa.ts'
import { modes, startMode } from '../../support/modes.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const ON = { ACCOUNT: { DELETION: true } }
const DELETED = { detail: 'Account deleted.' }
const REQUIRED = ['This field is required.']
const WRONG_PASSWORD = { password: ['Invalid password.'] }

describe.each(modes)('with the credential of mode %s', (mode) => {
  test('a user deletes the account, and nobody is signed in any more', async () => {
    const { logIn, request } = await startMode(mode, ON)
    const ada = await logIn()
    expect((await ada.get('user/')).status).toBe(200)
    expect(await ada.post('account/delete/', { password: PASSWORD })).toMatchReply(200, DELETED)
    expect((await ada.get('user/')).status).toBe(401)
    expect((await ada.post('account/delete/', { password: PASSWORD })).status).toBe(401)
    const login = await request.post('login/', { username: 'ada', password: PASSWORD })
    expect(login).toMatchReply(400, UNABLE)
  })

  test('a wrong password deletes nothing', async () => {
    const { logIn, mail } = await startMode(mode, ON)
    const ada = await logIn()
    const reply = await ada.post('account/delete/', { password: 'wrong' })
    expect(reply).toMatchReply(400, WRONG_PASSWORD)
    expect(reply.cookies).toEqual([])
    expect((await ada.get('user/')).status).toBe(200)
    expect(await mail.letters()).toEqual([])
  })

  test('without the setting there is no such endpoint', async () => {
    const { logIn } = await startMode(mode)
    const ada = await logIn()
    const reply = await ada.post('account/delete/', { password: PASSWORD })
    expect(reply).toMatchReply(404, NOT_FOUND)
    expect((await ada.get('user/')).status).toBe(200)
  })
})

test('nobody is deleted without being signed in', async () => {
  const { request, createUser, db } = await startAuth(ON)
  await createUser({ username: 'ada' })
  const reply = await request.post('account/delete/', { password: PASSWORD })
  expect(reply).toMatchReply(401, NOT_PROVIDED)
  expect(await countRows(db, 'users')).toBe(1)
})

test('a session needs its CSRF token', async () => {
  const { createUser, logInBrowser, db } = await startAuth(ON)
  await createUser({ username: 'ada' })
  const browser = await logInBrowser('ada')
  expect((await browser.post('account/delete/', { password: PASSWORD })).status).toBe(403)
  expect(await countRows(db, 'users')).toBe(1)
})

test('every cookie is cleared with the attributes that it was set with', async () => {
  const cookies = { SESSION_COOKIE_DOMAIN: 'example.com', CSRF_COOKIE_SAMESITE: 'Strict' } as const
  const jwt = {
    USE_JWT: true,
    SESSION_LOGIN: true,
    ...COOKIES,
    JWT_AUTH_REFRESH_COOKIE_PATH: '/auth/token/',
  }
  const { createUser, newBrowser } = await startAuth({ ...ON, ...cookies, REST_AUTH: jwt })
  await createUser({ username: 'ada' })
  const browser = newBrowser()
  const { cookies: set } = await browser.post('login/', { username: 'ada', password: PASSWORD })
  expect(set.map(({ name }) => name).sort()).toEqual([
    'csrftoken',
    'jwt-auth',
    'jwt-refresh',
    'sessionid',
  ])
  const reply = await browser.post('account/delete/', { password: PASSWORD }, browser.csrf())
  expect(reply).toMatchReply(200, DELETED)
  for (const { maxAge: _, expires: __, value: ___, ...attributes } of set) {
    const gone = { ...attributes, value: '', maxAge: 0, expires: new Date(0) }
    expect(reply.cookies).toContainEqual(gone)
  }
  expect(reply.cookies).toHaveLength(set.length)
})

test('the password must be given, and as text', async () => {
  const { request, createUserWithToken } = await startAuth(ON)
  const token = await createUserWithToken('ada')
  const ask = (body: object) => request.post('account/delete/', body, { token })
  expect(await ask({})).toMatchReply(400, { password: REQUIRED })
  expect(await ask({ password: '' })).toMatchReply(400, {
    password: ['This field may not be blank.'],
  })
  expect(await ask({ password: ['x'] })).toMatchReply(400, { password: ['Not a valid string.'] })
  expect((await ask({ password: 'x'.repeat(5000) })).status).toBe(400)
  expect((await request.get('user/', { token })).status).toBe(200)
})

test('wrong passwords count as failed logins, here and there', async () => {
  const limits = { RATE_LIMITS: { login_failed: '3/5m/key' } }
  const { request, createUserWithToken } = await startAuth({
    ACCOUNT: { DELETION: true, ...limits },
  })
  const token = await createUserWithToken('ada')
  const ask = (password: string) => request.post('account/delete/', { password }, { token })
  for (let i = 0; i < 3; i++) expect(await ask('wrong')).toMatchReply(400, WRONG_PASSWORD)
  expect(await ask(PASSWORD)).toBeThrottled(300)
  const login = await request.post('login/', { username: 'ada', password: PASSWORD })
  expect(login).toBeThrottled(300)
  expect((await request.get('user/', { token })).status).toBe(200)
})

test('with MFA a code is needed as well, and what is missing is told at once', async () => {
  const auth = await startAuth(ON)
  const { token, secret } = await createUserWithMfa(auth, 'ada')
  const ask = (body: object) => auth.request.post('account/delete/', body, { token })
  expect(await ask({})).toMatchReply(400, { password: REQUIRED, code: REQUIRED })
  expect(await ask({ password: PASSWORD })).toMatchReply(400, { code: REQUIRED })
  expect(await ask({ password: 'wrong' })).toMatchReply(400, { ...WRONG_PASSWORD, code: REQUIRED })
  const wrong = { password: PASSWORD, code: wrongCode(auth, secret) }
  expect(await ask(wrong)).toMatchReply(400, WRONG_CODE)
  expect((await auth.request.get('user/', { token })).status).toBe(200)
  const right = { password: PASSWORD, code: codeOf(auth, secret) }
  expect(await ask(right)).toMatchReply(200, DELETED)
})

test('a recovery code will do', async () => {
  const auth = await startAuth(ON)
  const { token, codes } = await createUserWithMfa(auth, 'ada')
  const body = { password: PASSWORD, code: codes[0] }
  expect(await auth.request.post('account/delete/', body, { token })).toMatchReply(200, DELETED)
})

test('a wrong password neither spends a code nor tells whether it is right', async () => {
  const auth = await startAuth(ON)
  const { token, secret, codes } = await createUserWithMfa(auth, 'ada')
  const ask = (body: object) => auth.request.post('account/delete/', body, { token })
  for (const code of [codes[0], codeOf(auth, secret), wrongCode(auth, secret)]) {
    expect(await ask({ password: 'wrong', code })).toMatchReply(400, WRONG_PASSWORD)
  }
  expect(await countRows(auth.db, 'recovery_codes')).toBe(codes.length)
  expect(await ask({ password: PASSWORD, code: codes[0] })).toMatchReply(200, DELETED)
})

test('wrong codes count as everywhere', async () => {
  const auth = await startAuth({
    ACCOUNT: { DELETION: true, RATE_LIMITS: { mfa_failed: '3/15m/user' } },
  })
  const { token, secret } = await createUserWithMfa(auth, 'ada')
  const ask = (code: string) =>
    auth.request.post('account/delete/', { password: PASSWORD, code }, { token })
  for (let i = 0; i < 3; i++) {
    expect(await ask(wrongCode(auth, secret))).toMatchReply(400, WRONG_CODE)
  }
  expect(await ask(codeOf(auth, secret))).toBeThrottled(900)
  expect((await auth.request.get('user/', { token })).status).toBe(200)
})

test('name and address are free at once, and the pk is never given again', async () => {
  const { request, createUserWithToken, findUser } = await startAuth(ON)
  await createUserWithToken('grace')
  const token = await createUserWithToken('ada')
  const before = await findUser('ada')
  await request.post('account/delete/', { password: PASSWORD }, { token })
  expect(await request.post('registration/', signup('ada'))).toMatchReply(201, KEY)
  const after = await findUser('ada')
  expect(after.email).toBe(before.email)
  expect(after.id).toBeGreaterThan(before.id)
})

test('failed logins of the old account do not lock the new one', async () => {
  const limits = { RATE_LIMITS: { login_failed: '3/5m/key' } }
  const { request, createUserWithToken, createUser } = await startAuth({
    ACCOUNT: { DELETION: true, ...limits },
  })
  const token = await createUserWithToken('ada')
  const logIn = (password: string) => request.post('login/', { username: 'ada', password })
  for (let i = 0; i < 2; i++) await logIn('wrong')
  await request.post('account/delete/', { password: PASSWORD }, { token })
  for (let i = 0; i < 2; i++) expect(await logIn('wrong')).toMatchReply(400, UNABLE)
  await createUser({ username: 'ada' })
  expect(await logIn(PASSWORD)).toMatchReply(200, KEY)
})

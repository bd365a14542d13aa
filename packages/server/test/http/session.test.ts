import { afterAll, expect, test } from 'vitest'
import { twice } from '../support/accounts.ts'
import { INVALID_TOKEN, KEY, LOGGED_OUT, NOT_PROVIDED } from '../support/answers.ts'
import type { Reply } from '../support/client.ts'
import { currentLogin } from '../support/devices.ts'
import { countRows, dump } from '../support/dump.ts'
import { startMode } from '../support/modes.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const DAY = 86_400_000
const credentials = { username: 'ada', password: PASSWORD }

const cookieOf = ({ cookies }: Reply, wanted: string) => cookies.find(({ name }) => name === wanted)

test('the cookies of a login say exactly who may read them, where, and for how long', async () => {
  const { request, createUser, clock } = await startAuth()
  await createUser({ username: 'ada' })
  const reply = await request.post('login/', credentials)
  expect(reply.cookies).toHaveLength(2)
  expect(cookieOf(reply, 'sessionid')).toEqual({
    name: 'sessionid',
    value: expect.stringMatching(/^[\w-]{32,}$/),
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    maxAge: 1_209_600,
    expires: new Date(clock.now() + 14 * DAY),
  })
  expect(cookieOf(reply, 'csrftoken')).toEqual({
    name: 'csrftoken',
    value: expect.stringMatching(/^[\w.-]{32,}$/),
    path: '/',
    sameSite: 'lax',
    maxAge: 31_536_000,
    expires: new Date(clock.now() + 365 * DAY),
  })
})

test('behind https both are sent over https only', async () => {
  const { request, createUser } = await startAuth({ PUBLIC_URL: 'https://id.example.com' })
  await createUser({ username: 'ada' })
  const { cookies } = await request.post('login/', credentials)
  expect(cookies.map(({ secure }) => secure)).toEqual([true, true])
})

test('name, age, domain and the rest of them are settings', async () => {
  const { request, createUser, clock } = await startAuth({
    PUBLIC_URL: 'https://id.example.com',
    SESSION_COOKIE_NAME: 'sid',
    SESSION_COOKIE_AGE: '1h',
    SESSION_COOKIE_SAMESITE: 'Strict',
    SESSION_COOKIE_DOMAIN: 'example.com',
    CSRF_COOKIE_NAME: 'xsrf',
    CSRF_COOKIE_SAMESITE: 'None',
    CSRF_COOKIE_DOMAIN: 'example.com',
  })
  await createUser({ username: 'ada' })
  const reply = await request.post('login/', credentials)
  const domain = expect.stringMatching(/^\.?example\.com$/)
  expect(cookieOf(reply, 'sid')).toMatchObject({ maxAge: 3600, sameSite: 'strict', domain })
  expect(cookieOf(reply, 'xsrf')).toMatchObject({ sameSite: 'none', domain })
  const cookies = { sid: cookieOf(reply, 'sid')?.value ?? '' }
  expect((await request.get('user/', { cookies })).status).toBe(200)
  clock.advance(3_600_000)
  expect(await request.get('user/', { cookies })).toMatchReply(401, NOT_PROVIDED)
})

test('a login changes the session, and the one before it ends', async () => {
  const { request, createUser, newBrowser, db } = await startAuth()
  await createUser({ username: 'ada' })
  const browser = newBrowser()
  await browser.post('login/', credentials)
  const before = { sessionid: browser.cookie('sessionid'), csrftoken: browser.cookie('csrftoken') }
  await browser.post('login/', credentials)
  expect(browser.cookie('sessionid')).not.toBe(before.sessionid)
  expect(browser.cookie('csrftoken')).not.toBe(before.csrftoken)
  expect((await browser.get('user/')).status).toBe(200)
  expect(await request.get('user/', { cookies: before })).toMatchReply(401, NOT_PROVIDED)
  expect(await countRows(db, 'logins')).toBe(1)
})

test('a session id that somebody planted does not become a session', async () => {
  const { request, createUser } = await startAuth()
  await createUser({ username: 'ada' })
  const cookies = { sessionid: 'a'.repeat(32) }
  const reply = await request.post('login/', credentials, { cookies })
  expect(reply).toMatchReply(200, KEY)
  expect(cookieOf(reply, 'sessionid')?.value).not.toBe(cookies.sessionid)
  expect(await request.get('user/', { cookies })).toMatchReply(401, NOT_PROVIDED)
})

test('a login ends the session of another user in the same browser', async () => {
  const { request, createUser, logInBrowser } = await startAuth()
  await createUser({ username: 'ada' })
  await createUser({ username: 'bob' })
  const browser = await logInBrowser('bob')
  const cookies = { sessionid: browser.cookie('sessionid') }
  await browser.post('login/', credentials)
  expect((await browser.get('user/')).body).toMatchObject({ username: 'ada' })
  expect(await request.get('user/', { cookies })).toMatchReply(401, NOT_PROVIDED)
})

test('a failed login leaves the session alone', async () => {
  const { createUser, logInBrowser } = await startAuth()
  await createUser({ username: 'ada' })
  const browser = await logInBrowser('ada')
  const reply = await browser.post('login/', { ...credentials, password: 'wrong' })
  expect(reply.cookies).toEqual([])
  expect((await browser.get('user/')).status).toBe(200)
})

test('sessions on several devices live side by side', async () => {
  const { createUser, logInBrowser } = await startAuth()
  await createUser({ username: 'ada' })
  const [phone, laptop] = [await logInBrowser('ada'), await logInBrowser('ada')]
  expect(phone.cookie('sessionid')).not.toBe(laptop.cookie('sessionid'))
  await phone.post('logout/', {}, phone.csrf())
  expect((await laptop.get('user/')).status).toBe(200)
})

test('a session lasts 14 days, used or not; then it is no credential', async () => {
  const { createUser, logInBrowser, clock } = await startAuth()
  await createUser({ username: 'ada' })
  const browser = await logInBrowser('ada')
  clock.advance(7 * DAY)
  expect((await browser.get('user/')).status).toBe(200)
  clock.advance(7 * DAY - 1)
  expect((await browser.get('user/')).status).toBe(200)
  clock.advance(1)
  expect(await browser.get('user/')).toMatchReply(401, NOT_PROVIDED)
  const patched = await browser.patch('user/', { first_name: 'X' }, browser.csrf())
  expect(patched).toMatchReply(401, NOT_PROVIDED)
})

test.each([
  ['deactivated', 'deactivate' as const],
  ['deleted', 'remove' as const],
  ['given a new password', 'setPassword' as const],
  ['revoked', 'revoke' as const],
])('the session of a user who was %s is no credential any more', async (_, action) => {
  const { createUser, logInBrowser, administration } = await startAuth()
  const ada = await createUser({ username: 'ada' })
  await createUser({ username: 'bob' })
  const browser = await logInBrowser('ada')
  const ofBob = await logInBrowser('bob')
  await administration[action](ada, 'the new password')
  expect(await browser.get('user/')).toMatchReply(401, NOT_PROVIDED)
  expect((await ofBob.get('user/')).status).toBe(200)
  if (action === 'remove') return
  await administration.activate(ada)
  expect(await browser.get('user/')).toMatchReply(401, NOT_PROVIDED)
})

const nobody = await startAuth({}, { atTheEnd: afterAll })

test.each([
  [''],
  ['x'],
  ['%'],
  ['%00'],
  ['"quoted"'],
  ['a'.repeat(8000)],
  ["'; drop table logins; --"],
])('the session id %j is no credential, and no fault', async (sessionid) => {
  const { request } = nobody
  const cookies = { sessionid }
  expect(await request.get('user/', { cookies })).toMatchReply(401, NOT_PROVIDED)
  expect(await request.patch('user/', {}, { cookies })).toMatchReply(401, NOT_PROVIDED)
  expect(await request.post('logout/', {}, { cookies })).toMatchReply(200, LOGGED_OUT)
  expect((await request.get('csrf/', { cookies })).status).toBe(200)
})

test('the Authorization header wins over the session, even where it is bad', async () => {
  const { createUser, createUserWithToken, logInBrowser } = await startAuth()
  const token = await createUserWithToken('bob')
  await createUser({ username: 'ada' })
  const browser = await logInBrowser('ada')
  const ask = (authorization: string) => browser.get('user/', { headers: { authorization } })
  expect((await browser.get('user/', { token })).body).toMatchObject({ username: 'bob' })
  expect(await ask('Token wrong')).toMatchReply(401, INVALID_TOKEN)
  expect(await ask('Bearer x')).toMatchReply(401, NOT_PROVIDED)
  expect((await browser.get('user/')).body).toMatchObject({ username: 'ada' })
})

test('a stolen database contains no session', async () => {
  const { request, createUser, logInBrowser, db } = await startAuth()
  await createUser({ username: 'ada' })
  const browser = await logInBrowser('ada')
  const values = await dump(db)
  expect(values.join('\n')).not.toContain(browser.cookie('sessionid'))
  expect(values.join('\n')).not.toContain(browser.cookie('csrftoken'))
  for (const value of values) {
    const cookies = { sessionid: encodeURIComponent(value) }
    expect((await request.get('user/', { cookies })).status).toBe(401)
  }
  expect((await browser.get('user/')).status).toBe(200)
})

test.each(['token', 'bearer'] as const)(
  '%s mode: without sessions, the cookies of another program are left alone',
  async (mode) => {
    const { logIn, request } = await startMode(mode, {
      ACCOUNT: { DELETION: true },
      REST_AUTH: { LOGOUT_ON_PASSWORD_CHANGE: true },
    })
    const cookies = { sessionid: 'of-Django', csrftoken: 'of-Django' }
    const isKept = (reply: Reply) => reply.headers['set-cookie'] === undefined
    const bad = { authorization: mode === 'token' ? 'Token bad' : 'Bearer bad' }
    const refused = await request.post('logout/', {}, { cookies, headers: bad })
    expect([refused.status, isKept(refused)]).toEqual([401, true])

    const ways = [
      ['POST', 'logout/', {}],
      ['DELETE', 'sessions/:id/', undefined],
      ['POST', 'password/change/', twice(PASSWORD)],
      ['POST', 'account/delete/', { password: PASSWORD }],
    ] as const
    for (const [method, path, sent] of ways) {
      const caller = await logIn()
      const { id } = await currentLogin(caller)
      const { key, access } = caller.reply.body as { key?: string; access?: string }
      const headers = { authorization: key ? `Token ${key}` : `Bearer ${access}` }
      const reply = await request.call(method, path.replace(':id', id), sent, { cookies, headers })
      expect([path, reply.status < 300, isKept(reply)]).toEqual([path, true, true])
      expect((await caller.get('user/')).status).toBe(401)
    }
  },
)

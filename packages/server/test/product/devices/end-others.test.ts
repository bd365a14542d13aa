import { expect, test } from 'vitest'
import { INVALID_TOKEN, KEY } from '../../support/answers.ts'
import { isSignedIn, loginsOf } from '../../support/devices.ts'
import { countRows } from '../../support/dump.ts'
import { bearer, claimsFor, forge, startJwt } from '../../support/jwt.ts'
import { modes, startMode } from '../../support/modes.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const DONE = { detail: 'Logged out everywhere else.' }
const WITH_LOGINS = modes.filter((mode) => mode !== 'token')

test.each(WITH_LOGINS)('%s mode: every other login is refused at once', async (mode) => {
  const first = await startMode(mode, {}, { shared: true })
  const second = await startMode(mode, {}, { beside: first })
  await first.createUser({ username: 'bob' })
  const bob = await first.logIn('bob')
  const others = [await first.logIn(), await second.logIn(), await second.logIn()]
  const here = await first.logIn()
  const reply = await here.post('sessions/end-others/')
  expect(reply).toMatchReply(200, DONE)
  expect(reply.cookies).toEqual([])
  for (const other of others) expect(await isSignedIn(other)).toBe(false)
  expect(await isSignedIn(here)).toBe(true)
  expect(await isSignedIn(bob)).toBe(true)
  expect(await loginsOf(here)).toHaveLength(1)
})

test('the shared token that asks is replaced, at every instance', async () => {
  const first = await startMode('token', {}, { shared: true })
  const second = await startMode('token', {}, { beside: first })
  const { post, reply: login } = await first.logIn()
  const { key: old } = login.body as { key: string }
  const reply = await post('sessions/end-others/')
  expect(reply).toMatchReply(200, { ...DONE, ...KEY })
  const { key } = reply.body as { key: string }
  expect(key).not.toBe(old)
  for (const { request } of [first, second]) {
    expect(await request.get('user/', { token: old })).toMatchReply(401, INVALID_TOKEN)
    expect((await request.get('user/', { token: key })).status).toBe(200)
  }
  expect((await second.logIn()).reply.body).toEqual({ key })
})

test('the new key has the name that ANSWER_NAMES gives to keys', async () => {
  const named = await startAuth({ REST_AUTH: { ANSWER_NAMES: { key: 'token' } } })
  await named.createUser({ username: 'ada' })
  const login = await named.request.post('login/', { username: 'ada', password: PASSWORD })
  const { token } = login.body as { token: string }
  const reply = await named.request.post('sessions/end-others/', {}, { token })
  expect(reply).toMatchReply(200, { ...DONE, token: KEY.key })
})

test('a token ends every session, and a session ends the token', async () => {
  const auth = await startMode('token', { REST_AUTH: { SESSION_LOGIN: true } })
  const { browser, ...byToken } = await auth.logIn()
  expect((await byToken.post('sessions/end-others/')).status).toBe(200)
  expect(await isSignedIn(browser)).toBe(false)

  const again = await auth.logIn()
  const reply = await again.browser.post('sessions/end-others/', {}, again.browser.csrf())
  expect(reply).toMatchReply(200, DONE)
  expect(await isSignedIn(again)).toBe(false)
  expect(await isSignedIn(again.browser)).toBe(true)
  expect(await countRows(auth.db, 'tokens')).toBe(0)
})

test('of parallel requests with one token, one gets the new key', async () => {
  const auth = await startMode('token')
  const { post } = await auth.logIn()
  const replies = await Promise.all(Array.from({ length: 8 }, () => post('sessions/end-others/')))
  const statuses = replies.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([200, ...Array(7).fill(401)])
  const given = replies.find(({ status }) => status === 200)
  const { key = '' } = (given?.body ?? {}) as { key?: string }
  expect((await auth.request.get('user/', { token: key })).status).toBe(200)
})

test('tokens of other services are void, the one that asks, too', async () => {
  const auth = await startJwt()
  const foreign = forge(claimsFor(auth, String(auth.ada.id)))
  const { access } = await auth.logIn()
  const reply = await auth.request.post('sessions/end-others/', {}, bearer(foreign))
  expect(reply).toMatchReply(200, DONE)
  expect((await auth.getUser(access)).status).toBe(401)
  expect((await auth.getUser(foreign)).status).toBe(401)
})

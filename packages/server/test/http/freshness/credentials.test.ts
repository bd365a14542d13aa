import { expect, test } from 'vitest'
import { STRONG, twice } from '../../support/accounts.ts'
import { STALE, STALE_AFTER } from '../../support/freshness.ts'
import { bearer, claimsFor, forge, type Pair, ROTATING, startJwt } from '../../support/jwt.ts'
import { modes, startMode } from '../../support/modes.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const REQUIRED = { ACCOUNT: { REAUTHENTICATION_REQUIRED: true } }
const LONG = { SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: '1h' } }
const SAVED = { detail: 'New password has been saved.' }
const WRONG_OLD = {
  old_password: ['Your old password was entered incorrectly. Please enter it again.'],
}

test.each(modes)('%s mode: the old password stands for a fresh login', async (mode) => {
  const auth = await startMode(mode, { ...REQUIRED, ...LONG })
  const caller = await auth.logIn()
  auth.clock.advance(STALE_AFTER)
  const change = (more: object) => caller.post('password/change/', { ...twice(STRONG), ...more })
  expect(await change({})).toMatchReply(...STALE)
  expect(await caller.call('POST', 'password/change/')).toMatchReply(...STALE)
  expect(await change({ old_password: 'wrong' })).toMatchReply(400, WRONG_OLD)
  expect(await change({ old_password: null })).toMatchReply(400, {
    old_password: ['This field may not be null.'],
  })
  expect(await change({ old_password: '' })).toMatchReply(400, {
    old_password: ['This field may not be blank.'],
  })
  expect(await change({ old_password: PASSWORD })).toMatchReply(200, SAVED)
})

test('wrong old passwords count as failed logins', async () => {
  const auth = await startMode('token', REQUIRED)
  const caller = await auth.logIn()
  auth.clock.advance(STALE_AFTER)
  const change = (old_password: string) =>
    caller.post('password/change/', { ...twice(STRONG), old_password })
  for (let tries = 0; tries < 10; tries++) expect((await change(`wrong ${tries}`)).status).toBe(400)
  expect(await change(PASSWORD)).toBeThrottled(5 * 60)
})

test('a form with a CSRF field is asked for both', async () => {
  const auth = await startMode('session', REQUIRED)
  const { browser } = await auth.logIn()
  auth.clock.advance(STALE_AFTER)
  const type = 'application/x-www-form-urlencoded'
  const form = (fields: Record<string, string>) =>
    browser.post('password/change/', new URLSearchParams(fields).toString(), { type })
  const csrfmiddlewaretoken = browser.cookie('csrftoken')
  const typed = twice(STRONG)
  expect((await form({ ...typed, old_password: PASSWORD })).status).toBe(403)
  expect(await form({ ...typed, csrfmiddlewaretoken })).toMatchReply(...STALE)
  const reply = await form({ ...typed, csrfmiddlewaretoken, old_password: PASSWORD })
  expect(reply).toMatchReply(200, SAVED)
})

test('without the setting an old password that nobody asked for is ignored, as before', async () => {
  const auth = await startMode('token')
  const caller = await auth.logIn()
  auth.clock.advance(STALE_AFTER)
  const body = { ...twice(STRONG), old_password: 'wrong' }
  expect(await caller.post('password/change/', body)).toMatchReply(200, SAVED)
})

test('OLD_PASSWORD_FIELD_ENABLED asks for the old password of a fresh login, too', async () => {
  const auth = await startMode('token', {
    ...REQUIRED,
    REST_AUTH: { OLD_PASSWORD_FIELD_ENABLED: true },
  })
  const caller = await auth.logIn()
  const reply = await caller.post('password/change/', twice(STRONG))
  expect(reply).toMatchReply(400, { old_password: ['This field is required.'] })
})

test('a login that returns the shared token makes it fresh for all who have it', async () => {
  const auth = await startMode('token', REQUIRED)
  const caller = await auth.logIn()
  auth.clock.advance(STALE_AFTER)
  expect(await caller.get('mfa/recovery-codes/')).toMatchReply(...STALE)
  await auth.logIn()
  expect((await caller.get('mfa/recovery-codes/')).status).toBe(200)
})

test('a key that replaces another is as fresh as that was, and no fresher', async () => {
  const auth = await startMode('token', REQUIRED)
  const { post } = await auth.logIn()
  auth.clock.advance(STALE_AFTER - 1)
  const { key } = (await post('sessions/end-others/')).body as { key: string }
  const codes = () => auth.request.get('mfa/recovery-codes/', { token: key })
  expect((await codes()).status).toBe(200)
  auth.clock.advance(1)
  expect(await codes()).toMatchReply(...STALE)
})

test('a login from before the clock was set back is stale, beyond the difference of two clocks', async () => {
  const auth = await startMode('token', REQUIRED)
  const caller = await auth.logIn()
  auth.clock.advance(-5000)
  expect((await caller.get('mfa/recovery-codes/')).status).toBe(200)
  auth.clock.advance(-1)
  expect(await caller.get('mfa/recovery-codes/')).toMatchReply(...STALE)
})

test('a refresh proves nothing: the new tokens are as stale as their login', async () => {
  const auth = await startJwt({ ...REQUIRED, SIMPLE_JWT: ROTATING })
  const { refresh } = await auth.logIn()
  auth.clock.advance(STALE_AFTER)
  const { access } = (await auth.refresh(refresh)).body as Pair
  expect(await auth.request.get('mfa/recovery-codes/', bearer(access))).toMatchReply(...STALE)
})

test('a token of another service is never fresh, and proving something does not help', async () => {
  const auth = await startJwt(REQUIRED)
  const foreign = bearer(forge(claimsFor(auth, String(auth.ada.id))))
  expect(await auth.request.get('mfa/recovery-codes/', foreign)).toMatchReply(...STALE)
  for (const password of [PASSWORD, 'wrong']) {
    const reply = await auth.request.post('reauthenticate/', { password }, foreign)
    expect(reply).toMatchReply(...STALE)
  }
})

test('nor is a login that a refresh token of another service began, until it proves something', async () => {
  const auth = await startJwt({ ...REQUIRED, SIMPLE_JWT: ROTATING })
  const claims = { token_type: 'refresh', jti: 'e'.repeat(32) }
  const foreign = forge(claimsFor(auth, String(auth.ada.id), claims))
  const call = bearer(((await auth.refresh(foreign)).body as Pair).access)
  const codes = () => auth.request.get('mfa/recovery-codes/', call)
  expect(await codes()).toMatchReply(...STALE)
  const reply = await auth.request.post('reauthenticate/', { password: PASSWORD }, call)
  expect(reply).toMatchReply(200, { detail: 'ok' })
  expect((await codes()).status).toBe(200)
})

test('what is refused as stale takes nothing of the limit', async () => {
  const auth = await startAuth({
    ...REQUIRED,
    REST_FRAMEWORK: { DEFAULT_THROTTLE_RATES: { auth_service: '2/m' } },
  })
  const token = await auth.createUserWithToken('ada')
  auth.clock.advance(STALE_AFTER)
  for (let times = 0; times < 5; times++) {
    const reply = await auth.request.get('mfa/recovery-codes/', { token })
    expect(reply).toMatchReply(...STALE)
  }
  const reply = await auth.request.post('reauthenticate/', { password: PASSWORD }, { token })
  expect(reply.status).toBe(200)
})

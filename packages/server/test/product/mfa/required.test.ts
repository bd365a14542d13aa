import { expect, test } from 'vitest'
import { createGuards } from '../../../src/library/guards.ts'
import { buildVerifier } from '../../../src/verify/build-verifier.ts'
import { startKeys } from '../../support/api-keys.ts'
import { type CreationOptions, createAuthenticator } from '../../support/authenticator.ts'
import { codesIn } from '../../support/codes.ts'
import { bearer, decode, type Pair } from '../../support/jwt.ts'
import { codeOf } from '../../support/mfa.ts'
import { modes } from '../../support/modes.ts'
import { logIn as logInWithPasskey } from '../../support/passkeys.ts'
import { DUE, isDue, setUpFactor, startRequired } from '../../support/required-factor.ts'
import { PASSWORD, SECRET_KEY, startAuth } from '../../support/start-auth.ts'

const DAY = 86_400_000
const INTROSPECTION_KEY = 'a-key-for-the-shop-long-enough-to-be-one'
const JWT = { REST_AUTH: { JWT_AUTH_HTTPONLY: false } }

test('it costs no further statement, and nothing is shown to others', async () => {
  const started = await startRequired('token', { MFA_REQUIRED: ['staff'] })
  const ada = await started.logIn()
  const off = await startAuth()
  const token = await off.createUserWithToken('ada')
  const { body, headers } = await off.request.get('user/', { token })
  const reply = await ada.get('user/')
  expect(Object.keys(reply.body as object)).toEqual(Object.keys(body as object))
  expect(Object.keys(reply.headers)).toEqual(Object.keys(headers))
  expect((await started.findUser('ada')).mfa_asked_at).toBe(null)
})

test('without the rule, groups do not matter', async () => {
  const started = await startKeys({}, { mode: 'session' })
  const made = await started.make()
  await started.administration.set(await started.findUser('ada'), { groups: ['staff'] })
  expect((await started.use(made)).status).toBe(200)
  expect((await started.ada.get('sessions/')).status).toBe(200)
})

test('with groups, their users and no others; a change counts at the next request', async () => {
  const started = await startRequired('bearer', { MFA_REQUIRED: ['staff', 'billing'] })
  const ada = await started.logIn()
  expect(await isDue(ada)).toBe(false)
  await started.administration.set(await started.findUser('ada'), { groups: ['x', 'billing'] })
  expect(await isDue(ada)).toBe(true)
  expect(await ada.get('sessions/')).toMatchReply(...DUE)
  await started.administration.set(await started.findUser('ada'), { groups: ['x'] })
  expect(await isDue(ada)).toBe(false)
  expect((await ada.get('sessions/')).status).toBe(200)
})

test('the grace period counts from the first login, once, on every instance and after a restart', async () => {
  const input = { MFA_GRACE_DAYS: 7 }
  const started = await startRequired('token', input, { shared: true })
  const logins = await Promise.all(Array.from({ length: 32 }, () => started.logIn()))
  const { mfa_asked_at: askedAt } = await started.findUser('ada')
  expect(askedAt).toBe(started.clock.now())
  for (const login of logins.slice(0, 3)) expect(await isDue(login)).toBe(false)

  started.clock.advance(6 * DAY)
  const second = await startRequired('token', input, { beside: started })
  const later = await second.logIn()
  expect(await isDue(later)).toBe(false)
  expect((await started.findUser('ada')).mfa_asked_at).toBe(askedAt)
  started.clock.advance(DAY - 1)
  expect((await later.get('sessions/')).status).toBe(200)
  started.clock.advance(1)
  expect(await later.get('sessions/')).toMatchReply(...DUE)
  expect(await isDue(await second.logIn())).toBe(true)

  // An operator who resets the factor does not start another period.
  await setUpFactor(second, await second.logIn())
  await started.administration.resetMfa(await started.findUser('ada'))
  expect(await isDue(await second.logIn())).toBe(true)
  expect((await started.findUser('ada')).mfa_asked_at).toBe(askedAt)
})

test.each(modes)('%s mode: credentials from before the rule are no way around it', async (mode) => {
  const before = await startRequired(mode, { MFA_REQUIRED: 'none' }, { shared: true })
  const ada = await before.logIn()
  expect(await isDue(ada)).toBe(false)
  const after = await startRequired(mode, {}, { beside: before })
  const { key, access } = (ada.reply.body ?? {}) as { key?: string; access?: string }
  const authorization = key ? `Token ${key}` : access ? `Bearer ${access}` : undefined
  const names = ['sessionid', 'jwt-auth'].filter((name) => ada.browser.cookie(name) !== '')
  const cookies = Object.fromEntries(names.map((name) => [name, ada.browser.cookie(name)]))
  const call = { cookies, ...(authorization && { headers: { authorization } }) }
  expect(await after.request.get('sessions/', call)).toMatchReply(...DUE)
})

test('with a grace period, a credential from before the rule starts it at its first use', async () => {
  const before = await startRequired('token', { MFA_REQUIRED: null }, { shared: true })
  const ada = await before.logIn()
  const after = await startRequired('token', { MFA_GRACE_DAYS: 1 }, { beside: before })
  const { key: token } = ada.reply.body as { key: string }
  const replies = await Promise.all(
    Array.from({ length: 16 }, () => after.request.get('sessions/', { token })),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  before.clock.advance(DAY)
  expect(await after.request.get('sessions/', { token })).toMatchReply(...DUE)
})

test('a code, a registration and a reset lead to the same', async () => {
  const started = await startRequired('token', { ACCOUNT: { LOGIN_BY_CODE_ENABLED: true } })
  const { begin, confirm } = codesIn(started)
  const byCode = await confirm(await begin())
  const { key: codeKey } = byCode.body as { key: string }
  expect(await started.request.get('email/', { token: codeKey })).toMatchReply(...DUE)
  const registered = await started.request.post('registration/', {
    username: 'bob',
    email: 'bob@example.com',
    password1: PASSWORD,
    password2: PASSWORD,
  })
  await started.request.post('password/reset/', { email: 'ada@example.com' })
  const { uid, token } = (await started.mail.newest('reset-password', 'ada@example.com')).values
  const passwords = { new_password1: PASSWORD, new_password2: PASSWORD }
  await started.request.post('password/reset/confirm/', { uid, token, ...passwords })
  const afterReset = await started.logIn()
  for (const { body } of [registered, afterReset.reply]) {
    const { key } = body as { key: string }
    expect(await started.request.get('email/', { token: key })).toMatchReply(...DUE)
  }
})

test('a passkey that verifies its user is two factors; a password beside it is not', async () => {
  const before = await startRequired('session', { MFA_REQUIRED: null }, { shared: true })
  const ada = await before.logIn()
  const begun = await ada.post('passkeys/register/begin/')
  const authenticator = createAuthenticator()
  const credential = authenticator.create(begun.body as CreationOptions)
  expect((await ada.post('passkeys/register/complete/', { credential })).status).toBe(201)

  const after = await startRequired('session', {}, { beside: before })
  const strong = after.newBrowser()
  expect((await logInWithPasskey(strong, authenticator)).status).toBe(204)
  expect((await strong.get('sessions/')).status).toBe(200)
  expect(await isDue(await after.logIn())).toBe(true)
  const weak = after.newBrowser()
  const lies = { flags: 0x01 }
  expect((await logInWithPasskey(weak, authenticator, { lies })).status).toBe(204)
  expect(await weak.get('sessions/')).toMatchReply(...DUE)

  const { request } = await startRequired('bearer', JWT, { beside: before })
  const { access } = (await logInWithPasskey(request, authenticator)).body as Pair
  expect((await request.get('sessions/', bearer(access))).status).toBe(200)
})

test('other services refuse the access token, old ones too; a refresh after the set-up mends it', async () => {
  const started = await startRequired('bearer', { ...JWT, INTROSPECTION_KEY })
  const ada = await started.logIn()
  const { access, refresh } = ada.reply.body as Pair
  expect(decode(access).claims).toMatchObject({ token_type: 'mfa_setup' })
  const needs = { clock: started.clock, timeoutMs: 1000 }
  const verify = buildVerifier({ key: SECRET_KEY }, {}, needs)
  await expect(verify(access)).rejects.toMatchObject({ code: 'wrong_type' })
  const { request } = started
  expect((await request.post('token/verify/', { token: access })).status).toBe(401)
  const asked = { headers: bearer(INTROSPECTION_KEY).headers }
  expect(await request.post('introspect/', { token: access }, asked)).toMatchReply(200, {
    active: false,
  })
  const again = await request.post('token/refresh/', { refresh })
  const { access: second } = again.body as Pair
  expect(decode(second).claims).toMatchObject({ token_type: 'mfa_setup' })

  const guards = createGuards(started.auth)
  const asHost = () =>
    new Request('http://app.example/', { headers: { authorization: `Bearer ${access}` } })
  expect(await guards.identify(asHost())).toBe(null)
  await expect(guards.requireUser(asHost())).rejects.toMatchObject({ status: 403 })

  await setUpFactor(started, ada)
  const third = ((await request.post('token/refresh/', { refresh })).body as Pair).access
  expect(decode(third).claims).toMatchObject({ token_type: 'access' })
  expect((await request.get('sessions/', bearer(third))).status).toBe(200)
})

test('a refresh token is no setup token, and the reverse', async () => {
  const started = await startRequired('bearer', JWT)
  const { access, refresh } = (await started.logIn()).reply.body as Pair
  expect((await started.request.get('user/', bearer(refresh))).status).toBe(401)
  expect((await started.request.post('token/refresh/', { refresh: access })).status).toBe(401)
})

test('a key for a program is refused everywhere, until its user has set up a factor', async () => {
  const before = await startKeys({}, { shared: true })
  const made = await before.make()
  const settings = { API_KEYS: true, MFA_REQUIRED: 'all' } as const
  const after = await startRequired('token', settings, { beside: before })
  expect(await after.request.get('user/', { token: made.key })).toMatchReply(...DUE)
  expect(await after.request.post('logout/', {}, { token: made.key })).toMatchReply(...DUE)
  await setUpFactor(after, await after.logIn())
  expect((await after.request.get('user/', { token: made.key })).status).toBe(200)
})

test('somebody who switches the factor off is where they began', async () => {
  const started = await startRequired('session')
  const ada = await started.logIn()
  const secret = await setUpFactor(started, ada)
  const code = codeOf(started, secret)
  expect((await ada.post('mfa/totp/deactivate/', { code })).status).toBe(200)
  expect(await isDue(ada)).toBe(true)
  expect(await ada.get('sessions/')).toMatchReply(...DUE)
  await setUpFactor(started, ada)
  expect((await ada.get('sessions/')).status).toBe(200)
})

test('without the module, the rule stops the start', async () => {
  const input = { MFA_REQUIRED: 'all', MODULES: ['registration'] }
  await expect(startAuth(input as never)).rejects.toThrow(/MFA_REQUIRED: needs the module mfa/)
})

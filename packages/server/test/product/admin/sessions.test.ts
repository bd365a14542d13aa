import { expect, test } from 'vitest'
import { MINUTE } from '../../../src/kernel/clock.ts'
import {
  ADMIN_ORIGIN,
  logInAdmin,
  passwordOf,
  sent,
  setFlags,
  setUpApp,
  startAdmin,
} from '../../support/admin.ts'
import {
  type CreationOptions,
  createAuthenticator,
  type Lies,
} from '../../support/authenticator.ts'
import { codeOf, MFA_REQUIRED, wrongCode } from '../../support/mfa.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const SESSION = 'latchkey_admin'
const NOT_ALLOWED = { non_field_errors: ['Unable to log in with provided credentials.'] }
const NOBODY = { detail: 'Authentication credentials were not provided.' }
/** The flags of a new passkey whose user was present, and not verified. */
const UNVERIFIED = 0x41

test('an operator without a second factor sets one up, and only then is let in', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const browser = started.newVisitor()

  const login = await browser.post('login/', passwordOf('grace'), sent(browser))
  expect(login).toMatchReply(200, { mfa_setup_required: true })
  const before = browser.cookie(SESSION)
  const looked = await browser.get('session/')
  expect(looked.body).toMatchObject({ mfa_setup_required: true, proved_at: null })
  const again = await browser.post('reauthenticate/', { code: '123456' }, sent(browser))
  expect(again).toMatchReply(403, {
    detail: 'Set up a second factor first.',
    code: 'mfa_setup_required',
  })

  const { body } = await browser.get('mfa/totp/activate/')
  const { secret, activation_token } = body as { secret: string; activation_token: string }
  const wrong = { activation_token, code: wrongCode(started, secret) }
  expect((await browser.post('mfa/totp/activate/', wrong, sent(browser))).status).toBe(400)
  expect((await browser.get('session/')).body).toMatchObject({ mfa_setup_required: true })
  const right = { activation_token, code: codeOf(started, secret) }
  expect((await browser.post('mfa/totp/activate/', right, sent(browser))).status).toBe(200)

  expect((await browser.get('session/')).body).toMatchObject({
    user: { username: 'grace', is_superuser: true },
    mfa_setup_required: false,
    proved_at: expect.any(String),
  })
  const old = await started.newVisitor().get('session/', { cookies: { [SESSION]: before } })
  expect(old).toMatchReply(401, NOBODY)
})

test('a passkey is a second factor only if it has verified its user', async () => {
  const asked: string[] = []
  const signingIn = ({ method }: { method: string }) => void asked.push(method)
  const started = await startAdmin({}, { hooks: { signingIn } })
  await started.createOperator('grace')
  const browser = started.newVisitor()
  await browser.post('login/', passwordOf('grace'), sent(browser))
  const register = async (lies: Lies) => {
    const { body } = await browser.post('passkeys/register/begin/', {}, sent(browser))
    const passkey = createAuthenticator({ origin: ADMIN_ORIGIN })
    const credential = passkey.create(body as CreationOptions, lies)
    const made = await browser.post('passkeys/register/complete/', { credential }, sent(browser))
    const { mfa_setup_required } = (await browser.get('session/')).body as Record<string, unknown>
    return { status: made.status, mfa_setup_required }
  }
  expect(await register({ flags: UNVERIFIED })).toEqual({ status: 400, mfa_setup_required: true })
  expect(await register({})).toEqual({ status: 201, mfa_setup_required: false })

  // From then on a password alone is refused, and the host is not asked about it.
  const other = started.newVisitor()
  const refused = await other.post('login/', passwordOf('grace'), sent(other))
  expect(refused.status).toBe(403)
  expect(refused.cookies).toEqual([])
  expect(asked).toEqual(['password'])
})

test('login asks for the second factor, and gives a cookie of its own', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const { secret } = await setUpApp(started, 'grace')
  const { browser, first, reply } = await logInAdmin(started, 'grace', secret)

  expect(first).toMatchReply(200, MFA_REQUIRED)
  expect(first.cookies).toEqual([])
  expect(reply.status).toBe(204)
  expect(reply.cookies.find(({ name }) => name === SESSION)).toMatchObject({
    path: '/admin/',
    httpOnly: true,
    sameSite: 'strict',
    maxAge: 8 * 3600,
  })
  const stored = await started.db.selectFrom('admin_sessions').select('digest').execute()
  expect(stored.map(({ digest }) => digest)).not.toContain(browser.cookie(SESSION))
  expect((await browser.get('session/')).status).toBe(200)
  const out = await browser.post('logout/', {}, sent(browser))
  expect(out).toMatchReply(200, { detail: 'Successfully logged out.' })
  expect((await browser.get('session/')).status).toBe(401)
})

test('nobody but an active operator comes in, and the answer never says why', async () => {
  const started = await startAdmin()
  await started.createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const browser = started.newVisitor()
  for (const given of [
    passwordOf('ada'),
    passwordOf('nobody'),
    { username: 'ada', password: 'x' },
  ]) {
    expect(await browser.post('login/', given, sent(browser))).toMatchReply(400, NOT_ALLOWED)
  }
  expect(await started.db.selectFrom('admin_sessions').selectAll().execute()).toEqual([])
})

test('an operator who loses the right during the login does not come in', async () => {
  const host = { says: async () => {} }
  const started = await startAdmin({}, { hooks: { signingIn: () => host.says() } })
  const grace = await started.createOperator('grace')
  host.says = () => setFlags(started, grace, {})
  const browser = started.newVisitor()
  const reply = await browser.post('login/', passwordOf('grace'), sent(browser))
  expect(reply).toMatchReply(400, NOT_ALLOWED)
  expect(reply.cookies).toEqual([])
})

test('failed logins count together with those of the public API', async () => {
  const started = await startAdmin({ ACCOUNT: { RATE_LIMITS: { login_failed: '5/m/key' } } })
  await started.createOperator('grace')
  const browser = started.newVisitor()
  const wrong = { username: 'grace', password: 'wrong' }
  for (let tries = 0; tries < 5; tries++) await browser.post('login/', wrong, sent(browser))
  expect((await started.request.post('login/', passwordOf('grace'))).status).toBe(429)
  expect((await browser.post('login/', passwordOf('grace'), sent(browser))).status).toBe(429)
})

test('credentials of one API are worth nothing at the other', async () => {
  const started = await startAdmin({ REST_AUTH: { USE_JWT: false, SESSION_LOGIN: true } })
  const operator = await started.createOperator('grace')
  const { browser, secret } = await setUpApp(started, 'grace')
  const visitor = started.newBrowser()
  started.clock.advance(MINUTE)
  const { body } = await visitor.post('login/', passwordOf('grace'))
  const { ephemeral_token } = body as { ephemeral_token: string }

  // A challenge of one is unknown at the other.
  const code = codeOf(started, secret)
  const crossed = await browser.post('mfa/verify/', { ephemeral_token, code }, sent(browser))
  expect(crossed).toMatchReply(400, { ephemeral_token: ['Invalid or expired token.'] })
  const login = await visitor.post('mfa/verify/', { ephemeral_token, code })
  const { key } = login.body as { key: string }

  const cookies = { sessionid: visitor.cookie('sessionid'), csrftoken: visitor.cookie('csrftoken') }
  const publicOnes = [
    { token: key },
    { headers: { authorization: `Bearer ${key}` } },
    { cookies },
    { cookies: { [SESSION]: visitor.cookie('sessionid') } },
  ]
  for (const options of publicOnes) {
    expect((await started.newVisitor().get('session/', options)).status).toBe(401)
  }
  const id = browser.cookie(SESSION)
  const adminOnes = [
    { cookies: { [SESSION]: id } },
    { cookies: { sessionid: id } },
    { token: id },
    { headers: { authorization: `Bearer ${id}` } },
  ]
  for (const options of adminOnes) {
    expect((await started.request.get('user/', options)).status).toBe(401)
  }
  const { ephemeral_token: ofAdmin } = (
    await started.newVisitor().post('login/', passwordOf(operator.username))
  ).body as { ephemeral_token: string }
  started.clock.advance(MINUTE)
  const given = { ephemeral_token: ofAdmin, code: codeOf(started, secret) }
  expect((await started.request.post('mfa/verify/', given)).status).toBe(400)
})

test('a proof is a code or a passkey, and a password is none', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const { browser, secret } = await setUpApp(started, 'grace')
  started.clock.advance(6 * MINUTE)
  const stale = (await browser.get('session/')).body as { proved_at: string }
  const password = await browser.post('reauthenticate/', { password: PASSWORD }, sent(browser))
  expect(password).toMatchReply(400, { non_field_errors: ['Must include "code" or "credential".'] })
  expect((await browser.get('session/')).body).toMatchObject(stale)
  const code = codeOf(started, secret)
  const fresh = await browser.post('reauthenticate/', { code }, sent(browser))
  expect(fresh).toMatchReply(200, { detail: 'ok' })
  const { proved_at } = (await browser.get('session/')).body as { proved_at: string }
  expect(Date.parse(proved_at)).toBe(started.clock.now())
})

test('requests need the CSRF token of the session, and come from the admin origin', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const { browser } = await setUpApp(started, 'grace')
  const mine = browser.cookie('latchkey_admin_csrf')
  const visitor = started.newVisitor()
  const { csrf_token } = (await visitor.get('csrf/')).body as { csrf_token: string }
  const forgeries = [
    { headers: {} },
    { headers: { 'x-csrftoken': 'forged' } },
    { headers: { 'x-csrftoken': csrf_token }, cookies: { latchkey_admin_csrf: csrf_token } },
    { headers: { 'x-csrftoken': mine, origin: 'https://evil.example' } },
    { headers: { 'x-csrftoken': mine, origin: 'http://localhost:8000' } },
    { headers: { 'x-csrftoken': mine, referer: 'http://evil.example:8001/x' } },
    { headers: { 'x-csrftoken': mine, origin: 'null' } },
    // Another name for this machine, as after DNS rebinding.
    { headers: { 'x-csrftoken': mine, origin: 'http://evil.example', host: 'evil.example' } },
  ]
  for (const forged of forgeries) {
    const reply = await browser.post('reauthenticate/', { code: '123456' }, forged)
    expect(reply.status, JSON.stringify(forged)).toBe(403)
    expect((reply.body as { detail: string }).detail).toMatch(/^CSRF Failed: /)
  }
  const login = await visitor.post('login/', passwordOf('grace'), {
    headers: { origin: 'http://localhost:8000' },
  })
  expect(login.status).toBe(403)
  expect((await browser.post('reauthenticate/', { code: '123456' }, sent(browser))).status).toBe(
    400,
  )
})

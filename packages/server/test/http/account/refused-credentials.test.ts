import { expect, test } from 'vitest'
import { requestReset, STRONG, twice, verificationKey } from '../../support/accounts.ts'
import { changeKey, NEW } from '../../support/addresses.ts'
import { INVALID_TOKEN, KEY, NOT_FOUND, NOT_PROVIDED } from '../../support/answers.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import { BY_CODE, codesIn } from '../../support/codes.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { bearer, COOKIES, startJwt } from '../../support/jwt.ts'
import { challengeOf, codeOf, createUserWithMfa, DEAD_TOKEN, verify } from '../../support/mfa.ts'
import { beginLogin, beginRegistration, logIn, registered } from '../../support/passkeys.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../../support/start-auth.ts'

/** Whatever Ada had is refused at once, by another instance than the one that she left at. */

const ON = { ACCOUNT: { DELETION: true } }

async function startTwo(settings = {}) {
  const auth = await startAuth({ ...ON, ...settings }, { shared: true })
  return { auth, other: await startAuth({ ...ON, ...settings }, { beside: auth }) }
}

async function leave({ request }: StartedAuth, token: string, code?: string): Promise<void> {
  const body = { password: PASSWORD, ...(code !== undefined && { code }) }
  const reply = await request.post('account/delete/', body, { token })
  expect(reply).toMatchReply(200, { detail: 'Account deleted.' })
}

test('token and session', async () => {
  const { auth, other } = await startTwo()
  const token = await auth.createUserWithToken('ada')
  const browser = await auth.logInBrowser('ada')
  const cookies = { sessionid: browser.cookie('sessionid') }
  expect((await other.request.get('user/', { cookies })).status).toBe(200)
  await leave(auth, token)
  expect(await other.request.get('user/', { token })).toMatchReply(401, INVALID_TOKEN)
  expect(await other.request.get('user/', { cookies })).toMatchReply(401, NOT_PROVIDED)
})

test.each([false, true])('access and refresh token; rotated: %s', async (rotated) => {
  const settings = {
    ...ON,
    REST_AUTH: { USE_JWT: true, JWT_AUTH_HTTPONLY: false, ...COOKIES },
    SIMPLE_JWT: { ROTATE_REFRESH_TOKENS: rotated, BLACKLIST_AFTER_ROTATION: rotated },
  }
  const auth = await startJwt(settings, { shared: true })
  const other = await startJwt(settings, { beside: auth })
  const pairs = await Promise.all([auth.logIn(), auth.logIn()])
  const [{ access, refresh }] = pairs
  expect((await other.request.post('token/verify/', { token: refresh })).status).toBe(200)
  const gone = { password: PASSWORD }
  expect((await auth.request.post('account/delete/', gone, bearer(access))).status).toBe(200)
  for (const pair of pairs) {
    expect((await other.getUser(pair.access)).status).toBe(401)
    expect((await other.refresh(pair.refresh)).status).toBe(401)
    const cookies = { 'jwt-auth': pair.access, 'jwt-refresh': pair.refresh }
    expect((await other.request.get('user/', { cookies })).status).toBe(401)
    expect((await other.request.post('token/refresh/', {}, { cookies })).status).toBe(401)
  }
  expect((await other.request.post('token/verify/', { token: refresh })).status).toBe(401)
})

test('a login that waits for its code', async () => {
  const { auth, other } = await startTwo()
  const { token, secret, codes } = await createUserWithMfa(auth, 'ada')
  const challenge = await challengeOf(auth, 'ada')
  await leave(auth, token, codes[0])
  expect(await verify(other, challenge, codeOf(auth, secret))).toMatchReply(400, DEAD_TOKEN)
  expect(await verify(other, challenge, codes[1])).toMatchReply(400, DEAD_TOKEN)
})

test('a passkey, and ceremonies that have begun', async () => {
  const { auth, other } = await startTwo()
  const token = await auth.createUserWithToken('ada')
  const authenticator = await registered(auth.request, token)
  const begun = await beginLogin(auth.request, { username: 'ada' })
  const unknown = await beginLogin(auth.request, { username: 'nobody' })
  const creation = await beginRegistration(auth.request, token)
  await leave(auth, token)

  const complete = (options: typeof begun) => {
    const body = { credential: authenticator.get(options), session_id: options.session_id }
    return other.request.post('passkeys/login/complete/', body)
  }
  const reply = await complete(begun)
  expect(reply.status).toBe(400)
  // As for a name that nobody ever had.
  expect(reply.body).toEqual((await complete(unknown)).body)
  expect((await logIn(other.request, authenticator)).status).toBe(400)
  const credential = createAuthenticator().create(creation)
  const adding = await other.request.post('passkeys/register/complete/', { credential }, { token })
  expect(adding.status).toBe(401)
})

test('a reset link, and a link to confirm the address', async () => {
  const { auth, other } = await startTwo()
  const form = {
    username: 'ada',
    email: 'ada@example.com',
    password1: PASSWORD,
    password2: PASSWORD,
  }
  const { body } = await auth.request.post('registration/', form)
  const key = await verificationKey(auth, 'ada@example.com')
  const { uid, token } = await requestReset(auth, 'ada@example.com')
  await leave(auth, (body as { key: string }).key)

  const verified = await other.request.post('registration/verify-email/', { key })
  expect(verified).toMatchReply(404, NOT_FOUND)
  const reset = { uid, token, ...twice(STRONG) }
  const refused = { uid: ['Invalid value'] }
  expect(await other.request.post('password/reset/confirm/', reset)).toMatchReply(400, refused)

  // Nor do they work for the next one who has the address.
  await auth.createUser({ username: 'ada', email: 'ada@example.com' })
  expect((await other.request.post('registration/verify-email/', { key })).status).toBe(404)
  expect(await other.request.post('password/reset/confirm/', reset)).toMatchReply(400, refused)
})

test('an account elsewhere opens a new account, and nothing of the old one', async () => {
  const idp = await startHostileProvider()
  const { auth, other } = await startTwo(idp.settings())
  const token = await auth.createUserWithToken('ada')
  const { id } = await auth.findUser('ada')
  const proof = async () => ({ id_token: await idp.idToken(auth.clock) })
  await auth.request.post('idp/connect/', await proof(), { token })
  await leave(auth, token)
  const reply = await other.request.post('idp/', await proof())
  expect(reply).toMatchReply(200, KEY)
  const { key } = reply.body as { key: string }
  const { body: user } = await other.request.get('user/', { token: key })
  expect(user).toMatchObject({ email: '' })
  expect((user as { pk: number }).pk).toBeGreaterThan(id)
})

test('an account elsewhere is refused where sign-up is closed', async () => {
  const idp = await startHostileProvider()
  const { SOCIALACCOUNT } = idp.settings()
  const { auth, other } = await startTwo({ SOCIALACCOUNT: { ...SOCIALACCOUNT, SIGNUP: false } })
  const token = await auth.createUserWithToken('ada')
  const proof = async () => ({ id_token: await idp.idToken(auth.clock) })
  await auth.request.post('idp/connect/', await proof(), { token })
  await leave(auth, token)
  expect((await other.request.post('idp/', await proof())).status).toBe(400)
})

test('a link to another address, and a code to log in with', async () => {
  const { auth, other } = await startTwo({ ACCOUNT: { DELETION: true, ...BY_CODE } })
  const token = await auth.createUserWithToken('ada')
  const codes = codesIn(auth)
  const known = await codes.begin()
  const unknown = await codes.ask({ username: 'nobody' })
  const wish = { email: NEW, password: PASSWORD }
  expect((await auth.request.post('email/change/', wish, { token })).status).toBe(200)
  const key = await changeKey(auth)
  await leave(auth, token)

  const confirmed = await other.request.post('email/change/confirm/', { key })
  expect(confirmed).toMatchReply(404, NOT_FOUND)
  expect(await auth.mail.templates()).toEqual(['account-deleted'])
  // As for a name that nobody ever had.
  const asked = [known.session_id, unknown]
  for (let tries = 0; tries < 4; tries++) {
    const body = { code: known.code }
    const replies = asked.map((session_id) => codesIn(other).confirm({ ...body, session_id }))
    const [gone, never] = await Promise.all(replies)
    expect(gone?.status).toBe(400)
    expect(gone?.body).toEqual(never?.body)
  }
})

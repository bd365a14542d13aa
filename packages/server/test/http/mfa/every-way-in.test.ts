import { afterAll, expect, onTestFinished, test } from 'vitest'
import { signup } from '../../support/accounts.ts'
import { KEY, NOT_FOUND } from '../../support/answers.ts'
import { AT, createAuthenticator, type Lies, UP } from '../../support/authenticator.ts'
import type { Reply } from '../../support/client.ts'
import { countRows } from '../../support/dump.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { COOKIES } from '../../support/jwt.ts'
import { createUserWithMfa, MFA_REQUIRED } from '../../support/mfa.ts'
import { beginLogin, register } from '../../support/passkeys.ts'
import {
  type Encoding,
  encodings,
  everyEncoding,
  misspellings,
  spellings,
} from '../../support/spellings.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../../support/start-auth.ts'

const idp = await startHostileProvider(afterAll)
const settings = {
  ...idp.settings({ EMAIL_AUTHENTICATION: true }),
  // All tests of this file come from one client at the same time.
  ACCOUNT: { RATE_LIMITS: { signup: 'none', passkey_begin: 'none', social: 'none' } },
}

const home = await startAuth(settings, { shared: true, atTheEnd: afterAll })
const verifying = createAuthenticator()
const neverVerified = createAuthenticator()
const { secret } = await settle()

const GUARDED_COOKIES = { ...COOKIES, JWT_AUTH_COOKIE_USE_CSRF: true }

/** One database with services that hand out different credentials. */
const services = {
  token: await startBeside({ SESSION_LOGIN: false }),
  session: await startBeside({ TOKEN_MODEL: null }),
  JWT: await startBeside({ USE_JWT: true, SESSION_LOGIN: true, ...GUARDED_COOKIES }),
}
type Mode = keyof typeof services
const modes = Object.keys(services) as Mode[]

function startBeside(REST_AUTH: object) {
  return startAuth({ ...settings, REST_AUTH }, { beside: home, atTheEnd: afterAll })
}

/** Ada has MFA, two passkeys and a social account, and is not logged in. */
async function settle() {
  const { token, secret } = await createUserWithMfa(home, 'ada')
  const id_token = await idp.idToken(home.clock)
  const replies = [
    await register(home.request, token, verifying),
    await register(home.request, token, neverVerified, { flags: UP | AT }),
    await home.request.post('idp/connect/', { id_token }, { token }),
  ]
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 200])
  await revoke()
  return { secret }
}

function ada() {
  return home.findUser('ada')
}

async function revoke(): Promise<void> {
  await home.administration.revoke(await ada())
}

/**
 * Every way to log in without a second factor, as Ada, who has one. A way that is added to the
 * service is added here: its path, and the body that would log Ada in without a second factor.
 */
type Way = {
  path: string
  /** Made again for each request, since most proofs work once. */
  body: (auth: StartedAuth) => Promise<Body>
}

type Body = Record<string, unknown>

const byPassword = (names: Record<string, string>): Way => ({
  path: 'login/',
  body: async () => ({ ...names, password: PASSWORD }),
})

const byProvider = (body: () => Promise<Body>): Way => ({ path: 'idp/', body })

const byPasskey = (passkey: typeof verifying, name: object, lies?: Lies): Way => ({
  path: 'passkeys/login/complete/',
  async body({ request }) {
    const { session_id, challenge } = await beginLogin(request, name)
    return { session_id, credential: passkey.get({ challenge }, lies) }
  },
})

const HER_ADDRESS = { email: 'ada@example.com', email_verified: true }
const idToken = (claims?: object) => idp.idToken(home.clock, claims)
let proofs = 0
const another = (what: string) => `${what}-${++proofs}`

const ways: Record<string, Way> = {
  'a username and a password': byPassword({ username: 'ada' }),
  'a username in capitals': byPassword({ username: 'ADA' }),
  'an address and a password': byPassword({ email: 'ada@example.com' }),
  'an address in capitals': byPassword({ email: 'ADA@EXAMPLE.COM' }),
  'an address for a username': byPassword({ username: 'ada@example.com' }),
  'an address beside another name': byPassword({ username: 'bob', email: 'ada@example.com' }),
  'the ID token of a provider': byProvider(async () => ({ id_token: await idToken() })),
  'an ID token for an access token': byProvider(async () => ({ access_token: await idToken() })),
  'the access token of a provider': byProvider(async () => {
    const access_token = another('token')
    idp.knowAccessToken(access_token, { sub: 'ada-elsewhere' })
    return { access_token }
  }),
  'the code of a provider': byProvider(async () => {
    idp.giveForCode({ id_token: await idToken() })
    return { code: another('code') }
  }),
  'an account elsewhere that is linked by its address': byProvider(async () => ({
    id_token: await idToken({ sub: another('sub'), ...HER_ADDRESS }),
  })),
  'a passkey without user verification': byPasskey(verifying, {}, { flags: UP }),
  'the same passkey, and a name': byPasskey(verifying, { username: 'ada' }, { flags: UP }),
  'a passkey that was made without user verification': byPasskey(neverVerified, {}),
}

const byVerifiedPasskey = byPasskey(verifying, {})

const everySpelling = everyEncoding.flatMap((encoding) =>
  Object.entries(spellings).map(([name, spell]) => {
    return { name: `${name}, as ${encoding}`, spell, encoding }
  }),
)

async function go(
  auth: StartedAuth,
  { body }: Pick<Way, 'body'>,
  path: string,
  encoding: Encoding,
): Promise<Reply> {
  const { text, type } = encodings[encoding](await body(auth))
  return auth.request.post(path, text, { type })
}

/** No cookie, no token, no login row, and no new last login. */
async function expectNothingGiven(
  reply: Reply,
  { last_login_at }: { last_login_at: number | null },
): Promise<void> {
  expect(reply.cookies).toEqual([])
  expect(await countRows(home.db, 'logins')).toBe(0)
  expect(await countRows(home.db, 'tokens')).toBe(0)
  expect((await ada()).last_login_at).toBe(last_login_at)
}

test.each(modes)('%s mode: the second factor is asked for, whichever the way in', async (mode) => {
  for (const [wayName, way] of Object.entries(ways)) {
    home.clock.advance(1000)
    const before = await ada()
    for (const { name, spell, encoding } of everySpelling) {
      const reply = await go(services[mode], way, spell(way.path), encoding)
      expect(reply, `${wayName}, ${name}`).toMatchReply(200, MFA_REQUIRED)
      await expectNothingGiven(reply, before)
    }
  }
})

test('no other spelling is a way in', async () => {
  const before = await ada()
  for (const [wayName, way] of Object.entries(ways)) {
    for (const [name, misspell] of Object.entries(misspellings)) {
      const reply = await go(home, way, misspell(way.path), 'JSON')
      expect([NOT_FOUND, MFA_REQUIRED], `${wayName}, ${name}`).toContainEqual(reply.body)
      await expectNothingGiven(reply, before)
    }
  }
})

const SESSION = ['csrftoken', 'sessionid']
const whole: Record<Mode, { status: number; body: unknown; cookies: string[] }> = {
  token: { status: 200, body: KEY, cookies: [] },
  session: { status: 204, body: undefined, cookies: SESSION },
  JWT: {
    status: 200,
    body: { access: expect.any(String), refresh: '', user: expect.anything() },
    cookies: [...SESSION, 'jwt-auth', 'jwt-refresh'].toSorted(),
  },
}

test.each(modes)('%s mode: a passkey with user verification is two factors', async (mode) => {
  onTestFinished(revoke)
  for (const { name, spell, encoding } of everySpelling) {
    home.clock.advance(1000)
    const path = spell(byVerifiedPasskey.path)
    const reply = await go(services[mode], byVerifiedPasskey, path, encoding)
    const { status, body, cookies } = whole[mode]
    expect(reply, name).toMatchReply(status, body)
    expect(reply.cookies.map((cookie) => cookie.name).toSorted()).toEqual(cookies)
    expect((await ada()).last_login_at).toBe(home.clock.now())
  }
})

test.each(modes)(
  '%s mode: a registration logs in who has no second factor yet, and nobody else',
  async (mode) => {
    const before = await ada()
    for (const { name, spell, encoding } of everySpelling) {
      for (const taken of [signup('ADA', 'new@example.com'), signup('new', 'ADA@example.com')]) {
        const way = { body: async () => taken }
        const reply = await go(services[mode], way, spell('registration/'), encoding)
        expect(reply.status, name).toBe(400)
        await expectNothingGiven(reply, before)
      }
    }
    const reply = await services[mode].request.post('registration/', signup('newcomer'))
    const { status, body, cookies } = whole[mode]
    expect(reply).toMatchReply(status === 200 ? 201 : status, body)
    expect(reply.cookies.map((cookie) => cookie.name).toSorted()).toEqual(cookies)
    const newcomer = await home.findUser('newcomer')
    await home.administration.remove(newcomer)
    await expectNothingGiven({ ...reply, cookies: [] }, before)
  },
)

test.each(['password', 'registration', 'social', 'passkey', 'code'] as const)(
  'the gate itself: a %s that is one factor is not enough, one that is two is',
  async (method) => {
    onTestFinished(revoke)
    const { gate } = home.auth.services
    const visitor = {
      turn: { client: '127.0.0.1' },
      device: { address: '127.0.0.1', userAgent: '' },
      sessionId: undefined,
    }
    const half = await gate.completeLogin(await ada(), { method, isStrong: false, visitor })
    expect(half).toEqual({ ephemeralToken: expect.any(String) })
    expect(await countRows(home.db, 'logins')).toBe(0)
    const whole = await gate.completeLogin(await ada(), { method, isStrong: true, visitor })
    expect(whole).toMatchObject({ token: expect.any(String) })
  },
)

test.each(modes)('%s mode: what asks for a second factor is no credential', async (mode) => {
  const { request } = services[mode]
  const reply = await request.post('login/', { username: 'ada', password: PASSWORD })
  const { ephemeral_token } = reply.body as { ephemeral_token: string }
  const attempts = [
    { token: ephemeral_token },
    { headers: { authorization: `Bearer ${ephemeral_token}` } },
    { cookies: { sessionid: ephemeral_token } },
    { cookies: { 'jwt-auth': ephemeral_token } },
  ]
  for (const options of attempts) {
    for (const path of ['user/', 'mfa/status/', 'mfa/recovery-codes/']) {
      expect((await request.get(path, options)).status).toBe(401)
    }
  }
  const refreshed = await request.post('token/refresh/', { refresh: ephemeral_token })
  expect(refreshed.status).toBe(mode === 'JWT' ? 401 : 404)
})

test('with the module switched off nobody loses the second factor', async () => {
  const without = await startAuth({ MODULES: [] }, { beside: home })
  const reply = await without.request.post('login/', { username: 'ada', password: PASSWORD })
  expect(reply).toMatchReply(200, MFA_REQUIRED)
  for (const path of ['mfa/verify/', 'mfa/totp/activate/', 'mfa/recovery-codes/regenerate/']) {
    expect(await without.request.post(path, { code: secret })).toMatchReply(404, NOT_FOUND)
  }
  expect(await without.request.get('mfa/status/')).toMatchReply(404, NOT_FOUND)
})

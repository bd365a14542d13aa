import { expect, test } from 'vitest'
import { NOT_FOUND } from '../../support/answers.ts'
import type { Reply } from '../../support/client.ts'
import { countRows } from '../../support/dump.ts'
import { createUserWithMfa, MFA_REQUIRED } from '../../support/mfa.ts'
import { MULTIPART, multipart } from '../../support/multipart.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../../support/start-auth.ts'

/**
 * Every way to log in without a second factor, as Ada, who has one. A way that is added to the
 * service is added here: its path, and the body that would log her in if she had none.
 */
type Way = {
  path: string
  /** Made for each request anew, since many a proof is good once. */
  body: (auth: StartedAuth) => Promise<Body>
  /** All, unless the body holds more than texts. */
  encodings?: (keyof typeof encodings)[]
}

type Body = Record<string, unknown>

const texts = (body: Body) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]))

const byPassword = (names: Record<string, string>): Way => ({
  path: 'login/',
  body: async () => ({ ...names, password: PASSWORD }),
})

const ways: Record<string, Way> = {
  'a username and a password': byPassword({ username: 'ada' }),
  'a username in capitals': byPassword({ username: 'ADA' }),
  'an address and a password': byPassword({ email: 'ada@example.com' }),
  'an address in capitals': byPassword({ email: 'ADA@EXAMPLE.COM' }),
  'an address for a username': byPassword({ username: 'ada@example.com' }),
  'an address beside another name': byPassword({ username: 'bob', email: 'ada@example.com' }),
}

const encodings = {
  JSON: (body: Body) => ({ type: 'application/json', text: JSON.stringify(body) }),
  form: (body: Body) => ({
    type: 'application/x-www-form-urlencoded',
    text: new URLSearchParams(texts(body)).toString(),
  }),
  multipart: (body: Body) => ({ type: MULTIPART, text: multipart(texts(body)) }),
}
const everyEncoding = Object.keys(encodings) as (keyof typeof encodings)[]

/** All of these are the endpoint itself. */
const spellings: Record<string, (path: string) => string> = {
  'as it is': (path) => path,
  'without its slash': (path) => path.replace(/\/$/, ''),
  'with a query': (path) => `${path}?mfa=off&next=/`,
  'with an escaped letter': (path) => `%${path.charCodeAt(0).toString(16)}${path.slice(1)}`,
}

/** And these are nothing, or at best the endpoint again. */
const misspellings: Record<string, (path: string) => string> = {
  'in capitals': (path) => path.toUpperCase(),
  'with two slashes behind': (path) => `${path}/`,
  'with two slashes before': (path) => `/auth//${path}`,
  'with a dot': (path) => `/auth/./${path}.`,
  'with an escaped slash': (path) => path.replace(/\/$/, '%2F'),
  'with a parameter': (path) => `${path.replace(/\/$/, '')};x=1/`,
  'with a detour': (path) => `/auth/zz/${path}`,
  'with a suffix': (path) => `${path.replace(/\/$/, '')}.json`,
}

const matrix = Object.entries(ways).flatMap(([name, way]) =>
  (way.encodings ?? everyEncoding).map((encoding) => ({ name, way, encoding })),
)

async function go(
  auth: StartedAuth,
  { body }: Way,
  path: string,
  encoding: keyof typeof encodings,
): Promise<Reply> {
  const { text, type } = encodings[encoding](await body(auth))
  return auth.request.post(path, text, { type })
}

async function expectNothingGiven(auth: StartedAuth, reply: Reply): Promise<void> {
  expect(reply.cookies).toEqual([])
  expect(await countRows(auth.db, 'logins')).toBe(0)
  expect(await countRows(auth.db, 'tokens')).toBe(0)
}

/** Ada has MFA and no credential; the service runs in both token and session mode. */
async function start(): Promise<StartedAuth> {
  const auth = await startAuth()
  await createUserWithMfa(auth, 'ada')
  const ada = await auth.administration.find('ada')
  if (ada) await auth.administration.revoke(ada)
  return auth
}

test.each(matrix)('$name, as $encoding: the second factor is asked for', async (row) => {
  const { way, encoding } = row
  const auth = await start()
  for (const [name, spell] of Object.entries(spellings)) {
    const reply = await go(auth, way, spell(way.path), encoding)
    expect(reply, name).toMatchReply(200, MFA_REQUIRED)
    await expectNothingGiven(auth, reply)
  }
})

test.each(Object.entries(ways))('%s: no other spelling is a way in', async (_, way) => {
  const auth = await start()
  for (const misspell of Object.values(misspellings)) {
    const reply = await go(auth, way, misspell(way.path), 'JSON')
    expect([NOT_FOUND, MFA_REQUIRED]).toContainEqual(reply.body)
    await expectNothingGiven(auth, reply)
  }
})

test.each(['password', 'registration', 'social', 'passkey'] as const)(
  'the gate itself: a %s that is one factor is not enough, one that is two is',
  async (method) => {
    const auth = await start()
    const ada = await auth.administration.find('ada')
    if (!ada) throw new Error('There is no such user.')
    const { gate } = auth.auth.services
    const visitor = { address: '127.0.0.1', sessionId: undefined }
    const half = await gate.completeLogin(ada, { method, isStrong: false, visitor })
    expect(half).toEqual({ ephemeralToken: expect.any(String) })
    expect(await countRows(auth.db, 'logins')).toBe(0)
    const whole = await gate.completeLogin(ada, { method, isStrong: true, visitor })
    expect(whole).toMatchObject({ token: expect.any(String) })
  },
)

test('what asks for a second factor is no credential anywhere', async () => {
  const auth = await start()
  const reply = await auth.request.post('login/', { username: 'ada', password: PASSWORD })
  const { ephemeral_token } = reply.body as { ephemeral_token: string }
  const attempts = [
    { token: ephemeral_token },
    { headers: { authorization: `Bearer ${ephemeral_token}` } },
    { cookies: { sessionid: ephemeral_token } },
  ]
  for (const options of attempts) {
    for (const path of ['user/', 'mfa/status/', 'mfa/recovery-codes/']) {
      expect((await auth.request.get(path, options)).status).toBe(401)
    }
  }
})

test('with the module switched off nobody loses the second factor', async () => {
  const auth = await startAuth({}, { shared: true })
  const { secret } = await createUserWithMfa(auth, 'ada')
  const without = await startAuth({ MODULES: [] }, { beside: auth })
  const reply = await without.request.post('login/', { username: 'ada', password: PASSWORD })
  expect(reply).toMatchReply(200, MFA_REQUIRED)
  for (const path of ['mfa/verify/', 'mfa/totp/activate/', 'mfa/recovery-codes/regenerate/']) {
    expect(await without.request.post(path, { code: secret })).toMatchReply(404, NOT_FOUND)
  }
  expect(await without.request.get('mfa/status/')).toMatchReply(404, NOT_FOUND)
})

import { createHmac, generateKeyPairSync } from 'node:crypto'
import type { UncheckedSettings } from '../../src/settings/settings.ts'
import { rsaKeyPair } from './rsa-keys.ts'
import { PASSWORD, SECRET_KEY, type StartedAuth, startAuth } from './start-auth.ts'

export type Pair = { access: string; refresh: string }

type Groups = Pick<UncheckedSettings, 'REST_AUTH' | 'SIMPLE_JWT'>

/** A service in JWT mode, with the user Ada. */
export async function startJwt(
  { REST_AUTH, SIMPLE_JWT = {}, ...rest }: UncheckedSettings & Groups = {},
  options: Parameters<typeof startAuth>[1] = {},
) {
  const auth = await startAuth(
    { REST_AUTH: { USE_JWT: true, ...REST_AUTH }, SIMPLE_JWT, ...rest },
    options,
  )
  const ada = options.beside
    ? await auth.findUser('ada')
    : await auth.createUser({ username: 'ada', email: 'ada@example.com', verified: true })

  const logIn = async (username = 'ada'): Promise<Pair> => {
    const reply = await auth.request.post('login/', { username, password: PASSWORD })
    return reply.body as Pair
  }
  const refresh = (token: string) => auth.request.post('token/refresh/', { refresh: token })
  const getUser = (access: string) => auth.request.get('user/', bearer(access))
  return { ...auth, ada, logIn, refresh, getUser }
}

export const CREDENTIALS = { username: 'ada', password: PASSWORD }

/** The same with cookies, and a browser in which Ada has logged in. */
export async function startJwtBrowser(settings: Parameters<typeof startJwt>[0] = {}) {
  const started = await startJwt({ ...settings, REST_AUTH: { ...COOKIES, ...settings.REST_AUTH } })
  const browser = started.newBrowser()
  await browser.post('login/', CREDENTIALS)
  return { ...started, browser }
}

export const ROTATING = { ROTATE_REFRESH_TOKENS: true, BLACKLIST_AFTER_ROTATION: true }

export const COOKIES = {
  JWT_AUTH_COOKIE: 'jwt-auth',
  JWT_AUTH_REFRESH_COOKIE: 'jwt-refresh',
}

export const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

/** The 401 answer of `token/verify/` and `token/refresh/`. */
export const notValid = (detail: string) => [401, { detail, code: 'token_not_valid' }] as const

/** The 401 answer of every endpoint that needs a login. */
export const badBearer = (message: string) =>
  [
    401,
    {
      detail: 'Given token not valid for any token type',
      code: 'token_not_valid',
      messages: [{ token_class: 'AccessToken', token_type: 'access', message }],
    },
  ] as const

export function decode(token: string) {
  const [header = '', payload = ''] = token.split('.')
  const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
  return { header: read(header), claims: read(payload) }
}

export const segment = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A token with a valid signature and any header and claims. */
export function forge(claims: unknown, header: unknown = { alg: 'HS256', typ: 'JWT' }): string {
  const data = `${segment(header)}.${segment(claims)}`
  return `${data}.${createHmac('sha256', SECRET_KEY).update(data).digest('base64url')}`
}

/** The claims of an access token without a login, as other services make them. */
export const claimsFor = (
  { clock }: Pick<StartedAuth, 'clock'>,
  userId: unknown,
  changes: object = {},
) => {
  const now = Math.floor(clock.now() / 1000)
  return {
    token_type: 'access',
    exp: now + 300,
    iat: now,
    jti: '0'.repeat(32),
    user_id: userId,
    ...changes,
  }
}

export const pems = {
  RS256: () => pemsOf(rsaKeyPair()),
  RS384: () => pemsOf(rsaKeyPair()),
  RS512: () => pemsOf(rsaKeyPair()),
  ES256: () => pemsOf(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
  ES384: () => pemsOf(generateKeyPairSync('ec', { namedCurve: 'P-384' })),
  ES512: () => pemsOf(generateKeyPairSync('ec', { namedCurve: 'P-521' })),
  EdDSA: () => pemsOf(generateKeyPairSync('ed25519')),
}

function pemsOf({ privateKey, publicKey }: ReturnType<typeof generateKeyPairSync>) {
  return {
    privatePem: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    publicPem: String(publicKey.export({ type: 'spki', format: 'pem' })),
  }
}

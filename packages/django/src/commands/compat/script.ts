import { isObject } from '../../../../server/src/kernel/json-object.ts'
import type { Answer, Sent } from './answer.ts'

/** What is special about a request. The table of deliberate differences needs it. */
type Trait = 'stale' | 'no-slash' | 'unknown-path' | 'empty-refresh' | 'after-logout'

export type Step = {
  readonly name: string
  readonly trait?: Trait
  /** Whether its answer may contain a new refresh token. */
  readonly renews?: true
  /** Null if the login on this side gave no credential for it. */
  request(login: Answer | null): Sent | null
}

const json = (method: string, path: string, body: unknown, headers = {}): Sent => ({
  method,
  path,
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

const step = (name: string, sent: Sent, trait?: Trait): Step => ({
  name,
  ...(trait && { trait }),
  request: () => sent,
})

const STALE = { authorization: `Token ${'0'.repeat(40)}` }
const NOBODY = 'latchkey-compat-check-nobody'

/** The domain does not exist, so a mail to it reaches nobody. */
const NOWHERE = `${NOBODY}@example.invalid`

/**
 * Requests that change nothing: they register, log out and mail nobody. They cover what every front
 * end depends on.
 */
export const harmless: readonly Step[] = [
  step('user/ of nobody', { method: 'GET', path: 'user/' }),
  step('user/ with an unknown token', { method: 'GET', path: 'user/', headers: STALE }),
  step('user/ with a bad access token', {
    method: 'GET',
    path: 'user/',
    headers: { authorization: 'Bearer bad' },
  }),
  step('login/ without anything', json('POST', 'login/', {})),
  step('login/ without a name', json('POST', 'login/', { password: 'x' })),
  step('login/ of nobody', json('POST', 'login/', { username: NOBODY, password: 'x' })),
  step('login/ with wrong types', json('POST', 'login/', { username: ['x'], password: true })),
  step('login/ with a list', json('POST', 'login/', [1])),
  step('login/ with broken JSON', json('POST', 'login/', '{bad')),
  step('login/ with plain text', json('POST', 'login/', 'x', { 'content-type': 'text/plain' })),
  step('login/ by GET', { method: 'GET', path: 'login/' }),
  step('login/ with a stale token', json('POST', 'login/', {}, STALE), 'stale'),
  step('login without its slash', json('POST', 'login', {}), 'no-slash'),
  step('a path that is not there', { method: 'GET', path: `${NOBODY}/` }, 'unknown-path'),
  step('logout/ of nobody', json('POST', 'logout/', {})),
  step('password/change/ of nobody', json('POST', 'password/change/', {})),
  step('password/reset/ without anything', json('POST', 'password/reset/', {})),
  step('password/reset/ of no address', json('POST', 'password/reset/', { email: 'x' })),
  step('password/reset/ of nobody', json('POST', 'password/reset/', { email: NOWHERE })),
  step('password/reset/confirm/ without anything', json('POST', 'password/reset/confirm/', {})),
  step(
    'password/reset/confirm/ with a made-up link',
    json('POST', 'password/reset/confirm/', {
      uid: 'zzzzzz',
      token: 'x-y',
      new_password1: 'a long enough one',
      new_password2: 'a long enough one',
    }),
  ),
  step('registration/ without anything', json('POST', 'registration/', {})),
  step(
    'registration/verify-email/ with a made-up key',
    json('POST', 'registration/verify-email/', { key: NOBODY }),
  ),
  step('token/verify/ without anything', json('POST', 'token/verify/', {})),
  step('token/verify/ with a bad token', json('POST', 'token/verify/', { token: 'bad' })),
  step('token/refresh/ without anything', json('POST', 'token/refresh/', {})),
  step(
    'token/refresh/ with an empty token',
    json('POST', 'token/refresh/', { refresh: '' }),
    'empty-refresh',
  ),
  step('token/refresh/ with a bad token', json('POST', 'token/refresh/', { refresh: 'bad' })),
]

/** The login of one user, by username or address. */
export const logIn = (name: string, password: string): Step =>
  step('login/', json('POST', 'login/', { ...named(name), password }))

const named = (name: string) => (name.includes('@') ? { email: name } : { username: name })

/** Requests after the login, on each side with its own credentials. */
export const signedIn: readonly Step[] = [
  { name: 'user/', request: (login) => asUser(login, { method: 'GET', path: 'user/' }) },
  {
    name: 'token/verify/',
    request: (login) => withToken(login, 'token/verify/', 'access', 'token'),
  },
  {
    name: 'token/refresh/ with an access token',
    request: (login) => withToken(login, 'token/refresh/', 'access', 'refresh'),
  },
  {
    name: 'token/refresh/',
    renews: true,
    request: (login) => withToken(login, 'token/refresh/', 'refresh', 'refresh'),
  },
]

/** The login with the refresh token of a later answer, if it has one. */
export function renewed(login: Answer | null, answer: Answer | null): Answer | null {
  const refresh = textIn(answer, 'refresh')
  return login && refresh ? { ...login, body: { ...Object(login.body), refresh } } : login
}

/**
 * Ends the login of this check, but only with a refresh token, which belongs to this login alone. A
 * logout with a token key would log out all devices of the user.
 */
export const leave: readonly Step[] = [
  { name: 'logout/', request: (login) => withToken(login, 'logout/', 'refresh', 'refresh') },
  {
    name: 'user/ after the logout',
    trait: 'after-logout',
    request: (login) =>
      textIn(login, 'refresh') ? asUser(login, { method: 'GET', path: 'user/' }) : null,
  },
  {
    name: 'token/refresh/ after the logout',
    request: (login) => withToken(login, 'token/refresh/', 'refresh', 'refresh'),
  },
]

function withToken(login: Answer | null, path: string, from: Credential, as: string): Sent | null {
  const token = textIn(login, from)
  return token ? json('POST', path, { [as]: token }) : null
}

function asUser(login: Answer | null, sent: Sent): Sent | null {
  if (!login) return null
  const [access, key] = [textIn(login, 'access'), textIn(login, 'key')]
  if (access) return { ...sent, headers: { authorization: `Bearer ${access}` } }
  if (key) return { ...sent, headers: { authorization: `Token ${key}` } }
  const cookie = [...login.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
  return cookie === '' ? null : { ...sent, headers: { cookie } }
}

/** dj-rest-auth below 4 has the longer names. */
const NAMES = {
  access: ['access', 'access_token'],
  refresh: ['refresh', 'refresh_token'],
  key: ['key', 'token'],
} as const

type Credential = keyof typeof NAMES

function textIn(answer: Answer | null, credential: Credential): string | null {
  const body = isObject(answer?.body) ? answer.body : {}
  const isToken = (value: unknown) => typeof value === 'string' && value !== ''
  return (NAMES[credential].map((name) => body[name]).find(isToken) as string | undefined) ?? null
}

import type { Credentials, Login } from './keep-login.ts'

/**
 * How a deployment tells who is asking: `token` (a key), `jwt` (tokens in bodies and headers),
 * `jwt-cookie` (the same in HttpOnly cookies) or `session`.
 */
export type Mode = 'token' | 'jwt' | 'jwt-cookie' | 'session'

export const usesCookies = (mode: Mode): boolean => mode === 'jwt-cookie' || mode === 'session'
export const usesJwt = (mode: Mode): boolean => mode.startsWith('jwt')

/** Refreshed when so much of the lifetime is over, so that no request finds out on its way. */
const GOOD_FOR = 0.9

/** The value of the header `Authorization`. */
export function authorizationOf(login: Login | null): string | undefined {
  if (login?.key) return `Token ${login.key}`
  return login?.access && `Bearer ${login.access}`
}

/** What is kept of the answer to a login or a refresh. */
export function credentialsOf(mode: Mode, answer: Credentials): Credentials {
  const { key, access, refresh } = answer
  if (mode === 'session') return {}
  if (mode === 'token' && key) return { key }
  const expires = access ? { expires: Date.now() + lifetimeOf(access) * GOOD_FOR } : {}
  if (mode === 'jwt-cookie' && access) return expires
  if (mode === 'jwt' && access) return { access, ...(refresh && { refresh }), ...expires }
  throw new TypeError(`The service does not answer as one in the mode "${mode}" does.`)
}

/** In milliseconds. Independent of what the clock of this machine says, which may be wrong. */
function lifetimeOf(token: string): number {
  try {
    const [, payload = ''] = token.split('.')
    const { exp, iat } = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')))
    return (exp - iat) * 1000 || Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

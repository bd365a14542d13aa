import { decode } from './base64-url.ts'
import type { Credentials } from './keep-login.ts'

/**
 * How requests are authenticated: by a key (`token`), by JSON Web Tokens in headers (`jwt`) or in
 * HttpOnly cookies (`jwt-cookie`), or by a `session`.
 */
export type Mode = 'token' | 'jwt' | 'jwt-cookie' | 'session'

export const usesCookies = (mode: Mode): boolean => mode === 'jwt-cookie' || mode === 'session'
export const usesJwt = (mode: Mode): boolean => mode.startsWith('jwt')

/** An access token is refreshed after this part of its lifetime, before it expires. */
const GOOD_FOR = 0.9

/** The part that is stored of the answer to a login or a refresh. */
export function credentialsOf(mode: Mode, answer: Credentials): Credentials {
  const { key, access, refresh } = answer
  if (mode === 'session') return {}
  if (mode === 'token' && key) return { key }
  if (!usesJwt(mode) || !access) throw new TypeError(`The service is not in the mode "${mode}".`)
  const expires = Date.now() + lifetimeOf(access) * GOOD_FOR
  return { expires, ...(mode === 'jwt' && { access, ...(refresh && { refresh }) }) }
}

/** In milliseconds. It does not depend on the clock of this machine, which may be wrong. */
function lifetimeOf(token: string): number {
  try {
    const [, payload = ''] = token.split('.')
    const { exp, iat } = JSON.parse(decode(payload))
    return (exp - iat) * 1000 || Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

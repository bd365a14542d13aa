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
  const { exp, iat, sid } = claimsIn(access)
  // The lifetime does not depend on the clock of this machine, which may be wrong. If it is not known,
  // the time is NaN and never comes.
  const expires = Date.now() + (exp - iat) * 1000 * GOOD_FOR
  return { expires, ...(mode === 'jwt' && { access, sid, ...(refresh && { refresh }) }) }
}

type Claims = { exp: number; iat: number; sid?: string }

/** Empty if the token cannot be read. */
function claimsIn(token: string): Claims {
  try {
    const [, payload = ''] = token.split('.')
    return Object(JSON.parse(decode(payload)))
  } catch {
    return {} as Claims
  }
}

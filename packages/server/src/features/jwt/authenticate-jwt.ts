import type { Authenticator } from '../../http/authenticate.ts'
import { problem } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'
import type { UpToPasswords } from '../passwords/feature.ts'
import type { TokenReader } from './token-reader.ts'

type Needs = UpToPasswords & { reader: TokenReader }

/** Accepts `Authorization: Bearer <access>`, or the cookie with the same token. */
export const authenticateJwt = ({ reader, http, settings }: Needs): Authenticator => ({
  name: 'jwt',
  schemes: settings.SIMPLE_JWT.AUTH_HEADER_TYPES.map((word) => word.toLowerCase()),
  async fromHeader(token) {
    if (token === '' || /\s/.test(token)) throw problem('bad_authorization_header')
    return reader.identify(token)
  },

  cookieNeedsCsrf: isCsrfProtected(settings),
  async fromCookie(asking) {
    const token = http.cookies.access?.read(asking)
    return token ? reader.identify(token) : null
  },
})

/** A service that demands a CSRF token from anonymous visitors also demands it with a cookie. */
export const isCsrfProtected = ({ REST_AUTH }: Pick<Settings, 'REST_AUTH'>): boolean =>
  REST_AUTH.JWT_AUTH_COOKIE_USE_CSRF || REST_AUTH.JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED

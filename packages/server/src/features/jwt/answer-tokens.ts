import * as Type from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { Time } from '../../core/schemas.ts'
import type { SignedToken } from '../../crypto/jwt/jwt.ts'
import { setsJwtCookies } from '../../http/cookies.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { UpToPasswords } from '../passwords/feature.ts'

/** Present only with `JWT_AUTH_RETURN_EXPIRATION`. As in dj-rest-auth, they come last in an answer. */
export const expirationFields = {
  access_expiration: Type.Optional(Time),
  refresh_expiration: Type.Optional(Time),
}

export type TokenAnswers = ReturnType<typeof createTokenAnswers>

type Tokens = { access: SignedToken; refresh: SignedToken | null }

export function createTokenAnswers({ http, settings }: UpToPasswords) {
  const { cookies } = http
  const { REST_AUTH } = settings
  const { JWT_AUTH_HTTPONLY, JWT_AUTH_RETURN_EXPIRATION } = REST_AUTH
  // A service that demands a CSRF token from anonymous visitors also demands it with a cookie.
  const demandsCsrf =
    REST_AUTH.JWT_AUTH_COOKIE_USE_CSRF || REST_AUTH.JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED

  return {
    travelInCookies: setsJwtCookies(cookies),

    /** Whether unsafe requests with the access cookie also need a CSRF token. */
    areCsrfProtected: cookies.access !== null && demandsCsrf,

    /** Whether the refresh token is only in an HttpOnly cookie, where scripts cannot see it. */
    hidesRefresh: JWT_AUTH_HTTPONLY && cookies.refresh !== null,

    setCookies(reply: FastifyReply, { access, refresh }: Tokens): void {
      cookies.access?.set(reply, access.token)
      if (refresh) cookies.refresh?.set(reply, refresh.token)
    },

    expirations: ({ access, refresh }: Tokens) =>
      JWT_AUTH_RETURN_EXPIRATION
        ? {
            access_expiration: isoTime(access.expiresAt),
            ...(refresh && { refresh_expiration: isoTime(refresh.expiresAt) }),
          }
        : {},
  }
}

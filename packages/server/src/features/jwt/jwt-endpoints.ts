import * as Type from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { Time } from '../../core/schemas.ts'
import type { SignedToken } from '../../crypto/jwt/jwt.ts'
import type { JwkSet } from '../../crypto/jwt/keys.ts'
import { setsJwtCookies } from '../../http/cookies.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { secret } from '../../http/fields.ts'
import { isoTime } from '../../kernel/clock.ts'
import { problem, tokenFaults, tokenNotValid } from '../../kernel/problems.ts'
import type { UpToPasswords } from '../passwords/feature.ts'
import type { RefreshTokens } from './refresh-tokens.ts'

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

const refreshed = {
  access: Type.String(),
  refresh: Type.Optional(Type.String()),
  ...expirationFields,
}

const faults = tokenFaults.map((code) => () => tokenNotValid(code))

type Needs = UpToPasswords & { refreshTokens: RefreshTokens; tokenAnswers: TokenAnswers }

export function tokenEndpoints({ refreshTokens, http, tokenAnswers }: Needs): Endpoint[] {
  const { cookies, csrf, answerNames: names } = http
  const common = { method: 'POST', throttle: 'auth_service' } as const

  const verify = endpoint({
    ...common,
    path: 'token/verify/',
    operationId: 'verifyToken',
    summary: 'Check whether a JSON Web Token is valid',
    access: 'public',
    body: { token: secret() },
    replies: { 200: Type.Object({}, { $id: 'Nothing' }) },
    refusals: faults,
    async handle({ body }) {
      await refreshTokens.verify(body.token)
      return {}
    },
  })

  const refresh = endpoint({
    ...common,
    path: 'token/refresh/',
    operationId: 'refreshToken',
    summary: 'Get a new access token for the refresh token in the body or in its cookie',
    access: tokenAnswers.travelInCookies ? 'opens-session' : 'public',
    body: names.refreshFields,
    replies: { 200: names.schemaOf(refreshed, { $id: 'Refreshed' }) },
    refusals: ['no_refresh_token', 'no_active_account', ...faults],
    async handle({ body, request, reply }) {
      const kept = cookies.refresh?.read(request)
      const given = names.refreshIn(body)
      const token = given ?? kept
      if (!token) throw problem('no_refresh_token')
      const { pk, loginId, ...tokens } = await refreshTokens.refresh(token)

      const keptOwner = given && kept ? refreshTokens.ownerOf(kept) : null
      // Cookies of another user in this browser are not overwritten.
      const mayKeep = keptOwner === null || keptOwner === pk
      if (mayKeep) tokenAnswers.setCookies(reply, tokens)
      if (mayKeep && tokenAnswers.areCsrfProtected) csrf.keepOrRenew(request, reply, loginId)

      const { access, refresh } = tokens
      const isInBody = refresh && !(tokenAnswers.hidesRefresh && mayKeep)
      return names.renamed({
        access: access.token,
        ...(isInBody && { refresh: refresh.token }),
        ...tokenAnswers.expirations(tokens),
      })
    },
  })

  return [verify, refresh]
}

const Jwk = Type.Record(Type.String(), Type.String())

/** Public keys change rarely. */
const CACHED = 'public, max-age=300'

export const jwksEndpoint = (publicKeys: JwkSet) =>
  endpoint({
    method: 'GET',
    path: '.well-known/jwks.json',
    operationId: 'getPublicKeys',
    summary: 'Get the public keys that check tokens of this service, as a JWK set',
    access: 'public',
    throttle: 'none',
    replies: { 200: Type.Object({ keys: Type.Array(Jwk) }, { $id: 'PublicKeys' }) },
    async handle({ reply }) {
      reply.header('Cache-Control', CACHED)
      return publicKeys as { keys: Record<string, string>[] }
    },
  })

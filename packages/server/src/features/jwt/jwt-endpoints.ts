import * as Type from '@sinclair/typebox'
import type { JwkSet } from '../../crypto/jwt/keys.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { secret } from '../../http/fields.ts'
import { problem, tokenFaults, tokenNotValid } from '../../kernel/problems.ts'
import type { UpToPasswords } from '../passwords/feature.ts'
import { expirationFields, type TokenAnswers } from './answer-tokens.ts'
import type { RefreshTokens } from './refresh-tokens.ts'

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

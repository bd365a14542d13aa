import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, endpoint, type Method } from '../../http/endpoint.ts'
import { orNothing, secret } from '../../http/fields.ts'
import { foreignOrigin } from '../../http/refusals.ts'
import { saying } from '../../http/replies.ts'
import type { HttpTools } from '../../http/tools.ts'
import { problem, tokenFaults } from '../../problems.ts'
import type { Settings } from '../../settings.ts'
import type { TokenAnswers } from '../jwt/index.ts'
import type { RefreshTokens } from '../jwt/refresh-tokens.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Tokens } from '../tokens/tokens.ts'

const LOGGED_OUT = 'Successfully logged out.'
const TOKENS_LEFT =
  'Neither cookies or blacklist are enabled, so the token has not been deleted server side. Please make sure the token is deleted client side.'

type Needs = {
  tokens: Tokens
  sessions: Sessions
  refreshTokens: RefreshTokens
  tokenAnswers: TokenAnswers
  http: HttpTools
  settings: Settings
}

export function logoutEndpoints(needs: Needs): Endpoint[] {
  const { tokens, sessions, refreshTokens, tokenAnswers, http, settings } = needs
  const { cookies, csrf } = http
  const { USE_JWT, SESSION_LOGIN } = settings.REST_AUTH
  const leavesTokens =
    USE_JWT && !settings.SIMPLE_JWT.TOKEN_BLACKLIST_ENABLED && !tokenAnswers.travelInCookies
  const methods: [Method, string][] = [
    ['POST', 'logout'],
    ...(settings.ACCOUNT.LOGOUT_ON_GET ? [['GET', 'logoutByLink'] as [Method, string]] : []),
  ]

  return methods.map(([method, operationId]) =>
    endpoint({
      method,
      path: 'logout/',
      operationId,
      summary: 'Log out: the token, the session and the refresh token end',
      access: 'if-signed-in',
      throttle: 'auth_service',
      body: { refresh: orNothing(secret()) },
      replies: { 200: saying(LOGGED_OUT) },
      refusals: [
        ...(USE_JWT ? tokenFaults : []),
        ...(USE_JWT || SESSION_LOGIN ? [] : ['not_logged_in' as const]),
        ...(tokenAnswers.travelInCookies && method !== 'GET' ? [foreignOrigin] : []),
      ],
      async handle({ identity, body, request, reply }) {
        if (!identity && !USE_JWT && !SESSION_LOGIN) throw problem('not_logged_in')

        // No foreign page may throw away the cookies of a visitor.
        const isByHeader = request.headers.authorization !== undefined
        if (tokenAnswers.travelInCookies && !isByHeader) csrf.checkOrigin(request)
        const kept = cookies.refresh?.read(request)
        const given = USE_JWT ? body.refresh : undefined
        const fault = given ? await refreshTokens.end(given) : null
        if (kept && !given) await refreshTokens.endKept(kept, identity?.user.id)
        if (identity?.via === 'jwt' && identity.loginId !== null) {
          await refreshTokens.endLogin(identity.loginId)
        }

        const sessionId = cookies.session.read(request)
        if (sessionId) {
          const owner = await sessions.identify(sessionId)
          // A session of somebody else that came along with a token is not ours to end.
          if (owner?.user.id === identity?.user.id) await sessions.end(sessionId)
        }
        if (identity) await tokens.revoke(identity.user.id)
        // Only now: a bad token keeps nobody logged in by other means.
        if (fault) throw problem(fault)
        clearCookies(request, reply)
        return { detail: leavesTokens ? TOKENS_LEFT : LOGGED_OUT }
      },
      // Whoever is told that a token is no good is rid of its cookies all the same.
      onRefusal({ refusal, request, reply }) {
        if (refusal.status === 401) clearCookies(request, reply)
      },
    }),
  )

  function clearCookies(request: FastifyRequest, reply: FastifyReply): void {
    tokenAnswers.clearCookies(reply)
    if (cookies.session.read(request)) cookies.session.clear(reply)
  }
}

import { bringsAuthorization } from '../../http/authenticate.ts'
import { clearLoginCookies } from '../../http/cookies.ts'
import { type Endpoint, endpoint, type Method, saying } from '../../http/endpoint.ts'
import { foreignOrigin } from '../../http/refusals.ts'
import type { HttpTools } from '../../http/tools.ts'
import { tokenFaults } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'
import type { TokenAnswers } from '../jwt/answer-tokens.ts'
import type { Logout } from './logout.ts'

const LOGGED_OUT = 'Successfully logged out.'
const TOKENS_LEFT =
  'Neither cookies or blacklist are enabled, so the token has not been deleted server side. Please make sure the token is deleted client side.'

type Needs = {
  logout: Logout
  tokenAnswers: TokenAnswers
  http: HttpTools
  settings: Pick<Settings, 'REST_AUTH' | 'SIMPLE_JWT' | 'ACCOUNT'>
}

export function logoutEndpoints({ logout, tokenAnswers, http, settings }: Needs): Endpoint[] {
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
      summary: 'Log out: end the token, the session and the refresh token',
      access: 'if-signed-in',
      throttle: 'auth_service',
      body: tokenAnswers.names.refreshFields,
      replies: { 200: saying(LOGGED_OUT) },
      refusals: [
        ...(USE_JWT ? tokenFaults : []),
        ...(USE_JWT || SESSION_LOGIN ? [] : ['not_logged_in' as const]),
        ...(tokenAnswers.travelInCookies && method !== 'GET' ? [foreignOrigin] : []),
      ],
      async handle({ identity, body, request, reply }) {
        // A foreign page must not be able to log a visitor out.
        if (tokenAnswers.travelInCookies && !bringsAuthorization(request)) csrf.checkOrigin(request)
        await logout(identity, {
          refresh: tokenAnswers.names.refreshIn(body),
          refreshCookie: cookies.refresh?.read(request),
          sessionId: cookies.session.read(request),
        })
        clearLoginCookies(cookies, request, reply)
        return { detail: leavesTokens ? TOKENS_LEFT : LOGGED_OUT }
      },
      // Even if the token is refused, its cookies are cleared.
      onRefusal({ refusal, request, reply }) {
        if (refusal.status === 401) clearLoginCookies(cookies, request, reply)
      },
    }),
  )
}

import type { Cookies } from '../../http/cookies.ts'
import { type Endpoint, endpoint, type Method } from '../../http/endpoint.ts'
import { Detail } from '../../http/replies.ts'
import { problem } from '../../problems.ts'
import type { Settings } from '../../settings.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Tokens } from '../tokens/tokens.ts'

type Needs = { tokens: Tokens; sessions: Sessions; settings: Settings; cookies: Cookies }

export function logoutEndpoints({ tokens, sessions, settings, cookies }: Needs): Endpoint[] {
  const { USE_JWT, SESSION_LOGIN } = settings.REST_AUTH
  const methods: [Method, string][] = [
    ['POST', 'logout'],
    ...(settings.ACCOUNT.LOGOUT_ON_GET ? [['GET', 'logoutByLink'] as [Method, string]] : []),
  ]

  return methods.map(([method, operationId]) =>
    endpoint({
      method,
      path: 'logout/',
      operationId,
      summary: 'Log out: the token and the session end',
      access: 'if-signed-in',
      throttle: 'auth_service',
      replies: { 200: Detail },
      async handle({ identity, request, reply }) {
        if (!identity && !USE_JWT && !SESSION_LOGIN) throw problem('not_logged_in')

        const sessionId = cookies.session.read(request)
        if (sessionId) {
          const owner = await sessions.identify(sessionId)
          // A session of somebody else that came along with a token is not ours to end.
          if (owner?.user.id === identity?.user.id) await sessions.end(sessionId)
          cookies.session.clear(reply)
        }
        if (identity) await tokens.revoke(identity.user.id)
        return { detail: 'Successfully logged out.' }
      },
    }),
  )
}

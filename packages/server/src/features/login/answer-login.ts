import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { Call } from '../../http/endpoint.ts'
import type { HttpTools } from '../../http/tools.ts'
import type { LoginAnswer, Visitor } from './gate.ts'

/** The login answer on the wire: the same for every way to log in. */
export const loginReplies = {
  200: Type.Union(
    [
      Type.Object({ key: Type.String() }),
      Type.Object({ ephemeral_token: Type.String(), mfa_required: Type.Literal(true) }),
    ],
    { $id: 'LoginAnswer' },
  ),
  204: null,
}

export type LoginExchange = ReturnType<typeof createLoginExchange>

/** What every endpoint that logs somebody in does with its request and its reply. */
export function createLoginExchange({ cookies, csrf }: HttpTools) {
  return {
    visitorOf: ({ request, address }: Pick<Call, 'request' | 'address'>): Visitor => ({
      address,
      sessionId: cookies.session.read(request),
    }),

    answer(reply: FastifyReply, answer: LoginAnswer) {
      if ('ephemeralToken' in answer) {
        reply.status(200)
        return { ephemeral_token: answer.ephemeralToken, mfa_required: true as const }
      }
      const { token, session } = answer
      if (session) {
        cookies.session.set(reply, session.id)
        csrf.renew(reply, session.loginId)
      }
      if (token) return { key: token }
      reply.status(204)
      return undefined
    },
  }
}

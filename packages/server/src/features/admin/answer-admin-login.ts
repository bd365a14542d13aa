import * as Type from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { wordsOfHost } from '../../http/refusals.ts'
import type { HttpTools } from '../../http/tools.ts'
import { type Exchange, SecondFactorDue, secondFactorDue } from '../login/login-endpoints.ts'
import type { NewAdminSession } from '../operators/admin-sessions.ts'
import type { UpToPasskeys } from '../passkeys/feature.ts'

/** The session can only set up a second factor. */
const SetupDue = Type.Object({ mfa_setup_required: Type.Literal(true) })

/** Gives the cookies of an admin session. */
export function setAdminSession(
  { cookies, csrf }: HttpTools,
  reply: FastifyReply,
  { id, key }: NewAdminSession,
): void {
  cookies.session.set(reply, id)
  csrf.renew(reply, key)
}

/** Reads the visitor from the request and writes the answer, for every login at the admin pages. */
export const createAdminExchange = ({
  adminHttp,
  host,
}: UpToPasskeys): Exchange<NewAdminSession> => ({
  refusals: [
    'wrong_credentials',
    'email_not_verified',
    'passkey_required',
    ...(host.signingIn ? [wordsOfHost] : []),
  ],

  replies: { 200: Type.Union([SetupDue, SecondFactorDue], { $id: 'AdminLoginAnswer' }), 204: null },

  visitorOf: ({ request, turn }) => ({
    turn,
    device: adminHttp.deviceOf(request),
    sessionId: adminHttp.cookies.session.read(request),
  }),

  answer(reply, answer) {
    if ('ephemeralToken' in answer) return secondFactorDue(reply, answer)
    setAdminSession(adminHttp, reply, answer)
    reply.status(answer.isProved ? 204 : 200)
    return answer.isProved ? undefined : { mfa_setup_required: true }
  },
})

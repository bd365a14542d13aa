import { endpoint } from '../../http/endpoint.ts'
import { code, secret } from '../../http/fields.ts'
import type { Mfa } from '../mfa/mfa.ts'
import type { LoginExchange } from './answer-login.ts'
import type { Gate } from './gate.ts'

type Needs = { mfa: Mfa; gate: Gate; exchange: LoginExchange }

export const mfaVerifyEndpoint = ({ mfa, gate, exchange }: Needs) =>
  endpoint({
    method: 'POST',
    path: 'mfa/verify/',
    operationId: 'verifyMfa',
    summary: 'Complete a login with a one-time code or a recovery code',
    access: 'opens-session',
    throttle: 'auth_service',
    body: { ephemeral_token: secret(), code: code() },
    replies: exchange.replies,
    refusals: ['ephemeral_token_invalid', 'mfa_code_invalid', ...exchange.refusals],
    async handle(call) {
      const { ephemeral_token, code } = call.body
      const { user, method } = await mfa.challenges.meet(ephemeral_token, code, call.address)
      const proof = { method, isStrong: true, visitor: exchange.visitorOf(call) }
      return exchange.answer(call.reply, await gate.completeLogin(user, proof))
    },
  })

import { endpoint } from '../../http/endpoint.ts'
import { code } from '../../http/fields.ts'
import { saying } from '../../http/replies.ts'
import type { Mfa } from './mfa.ts'

export const deactivateEndpoint = (mfa: Mfa) =>
  endpoint({
    method: 'POST',
    path: 'mfa/totp/deactivate/',
    operationId: 'deactivateTotp',
    summary: 'Switch MFA off with a code, and log out all other devices',
    access: 'signed-in',
    freshness: 'required',
    throttle: 'auth_service',
    body: { code: code() },
    replies: { 200: saying('TOTP has been deactivated.') },
    refusals: ['mfa_not_enabled', 'mfa_code_invalid'],
    async handle({ identity, body, address }) {
      await mfa.deactivate(identity, body.code, address)
      return { detail: 'TOTP has been deactivated.' }
    },
  })

import { Type } from '@sinclair/typebox'
import { type Endpoint, endpoint, type Method } from '../../http/endpoint.ts'
import type { Mfa } from './mfa.ts'

const replies = { 200: Type.Object({ codes: Type.Array(Type.String()) }, { $id: 'RecoveryCodes' }) }

const common = {
  access: 'signed-in',
  freshness: 'required',
  throttle: 'auth_service',
  replies,
} as const

export function recoveryCodesEndpoints(mfa: Mfa): Endpoint[] {
  // Clients of newer versions of dj-rest-auth send POST, those of older ones GET.
  const show = (method: Method, operationId: string) =>
    endpoint({
      ...common,
      method,
      path: 'mfa/recovery-codes/',
      operationId,
      summary: 'List the recovery codes that are not used yet',
      handle: async ({ identity }) => ({ codes: await mfa.unusedRecoveryCodes(identity.user.id) }),
    })

  const regenerate = endpoint({
    ...common,
    method: 'POST',
    path: 'mfa/recovery-codes/regenerate/',
    operationId: 'regenerateRecoveryCodes',
    summary: 'Create new recovery codes; the old ones no longer work',
    refusals: ['mfa_not_enabled'],
    handle: async ({ identity }) => ({
      codes: await mfa.regenerateRecoveryCodes(identity.user),
    }),
  })

  return [show('GET', 'getRecoveryCodes'), show('POST', 'listRecoveryCodes'), regenerate]
}

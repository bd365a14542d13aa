import type { Endpoint } from '../../http/endpoint.ts'
import type { Services } from '../../services.ts'
import type { LoginExchange } from '../login/answer-login.ts'
import { activateEndpoints } from './activate-endpoints.ts'
import { deactivateEndpoint } from './deactivate-endpoint.ts'
import { recoveryCodesEndpoints } from './recovery-codes-endpoints.ts'
import { statusEndpoint } from './status-endpoint.ts'
import { verifyEndpoint } from './verify-endpoint.ts'

export function mfaEndpoints({ mfa, gate }: Services, exchange: LoginExchange): Endpoint[] {
  return [
    verifyEndpoint(mfa, gate, exchange),
    ...activateEndpoints(mfa),
    deactivateEndpoint(mfa),
    statusEndpoint(mfa),
    ...recoveryCodesEndpoints(mfa),
  ]
}

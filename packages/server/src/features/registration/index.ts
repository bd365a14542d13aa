import type { Endpoint } from '../../http/endpoint.ts'
import type { Services } from '../../services.ts'
import type { Settings } from '../../settings.ts'
import type { LoginExchange } from '../login/answer-login.ts'
import { confirmPageEndpoints } from './confirm-page-endpoints.ts'
import { registrationEndpoint } from './registration-endpoint.ts'
import { verificationEndpoints } from './verification-endpoints.ts'

export function registrationEndpoints(
  { registration, verification }: Services,
  exchange: LoginExchange,
  settings: Settings,
): Endpoint[] {
  if (!settings.MODULES.includes('registration')) return []
  return [
    registrationEndpoint(registration, exchange, settings),
    ...verificationEndpoints(verification),
    ...confirmPageEndpoints(verification),
  ]
}

import type { Endpoint } from '../../http/endpoint.ts'
import type { Services } from '../../services.ts'
import type { LoginExchange } from '../login/answer-login.ts'
import { manageEndpoints } from './manage-endpoints.ts'
import { passkeyLoginEndpoints } from './passkey-login-endpoints.ts'
import { registrationEndpoints } from './registration-endpoints.ts'

export { whyPasskeysCannotWork } from './relying-party.ts'

export const passkeyEndpoints = (services: Services, exchange: LoginExchange): Endpoint[] => [
  ...registrationEndpoints(services.passkeys),
  ...passkeyLoginEndpoints(services, exchange),
  ...manageEndpoints(services.passkeys),
]

import type { Endpoint } from '../../http/endpoint.ts'
import type { LoginExchange } from '../login/answer-login.ts'
import type { Social } from './social.ts'
import { socialAccountsEndpoints } from './social-accounts-endpoints.ts'
import { socialLoginEndpoints } from './social-login-endpoints.ts'

export { configureProviders } from './configuration/configure-providers.ts'

export const socialEndpoints = (social: Social, exchange: LoginExchange): Endpoint[] => [
  ...socialLoginEndpoints(social, exchange),
  ...socialAccountsEndpoints(social),
]

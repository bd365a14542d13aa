import type { Endpoint } from '../../http/endpoint.ts'
import type { HttpTools } from '../../http/tools.ts'
import type { Services } from '../../services.ts'
import type { Settings } from '../../settings.ts'
import type { TokenAnswers } from '../jwt/index.ts'
import type { LoginExchange } from './answer-login.ts'
import { csrfEndpoint } from './csrf-endpoint.ts'
import { loginEndpoint } from './login-endpoint.ts'
import { logoutEndpoints } from './logout-endpoint.ts'

export { createLoginExchange } from './answer-login.ts'

export function loginEndpoints(
  { login, tokens, sessions, refreshTokens }: Services,
  http: HttpTools,
  exchange: LoginExchange,
  tokenAnswers: TokenAnswers,
  settings: Settings,
): Endpoint[] {
  return [
    loginEndpoint(login, exchange),
    ...logoutEndpoints({ tokens, sessions, refreshTokens, tokenAnswers, http, settings }),
    csrfEndpoint(http.csrf),
  ]
}

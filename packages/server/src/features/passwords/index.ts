import type { Endpoint } from '../../http/endpoint.ts'
import type { HttpTools } from '../../http/tools.ts'
import type { Services } from '../../services.ts'
import type { Settings } from '../../settings.ts'
import type { TokenAnswers } from '../jwt/index.ts'
import {
  changePasswordEndpoint,
  confirmResetEndpoint,
  requestResetEndpoint,
} from './password-endpoints.ts'
import { resetPageEndpoints } from './reset-page-endpoints.ts'

export function passwordEndpoints(
  { passwordChange, passwordReset }: Services,
  http: HttpTools,
  tokenAnswers: TokenAnswers,
  settings: Settings,
): Endpoint[] {
  return [
    requestResetEndpoint(passwordReset),
    confirmResetEndpoint(passwordReset),
    ...resetPageEndpoints(passwordReset),
    changePasswordEndpoint(passwordChange, http, tokenAnswers, settings),
  ]
}

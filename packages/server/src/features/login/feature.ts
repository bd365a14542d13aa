import { tagged } from '../../http/endpoint.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToPasskeys } from '../passkeys/feature.ts'
import { createLoginExchange } from './answer-login.ts'
import { csrfEndpoint } from './csrf-endpoint.ts'
import { createGate } from './gate.ts'
import { createLogin } from './login.ts'
import { loginEndpoint } from './login-endpoint.ts'
import { createLogout } from './logout.ts'
import { logoutEndpoints } from './logout-endpoints.ts'
import { mfaVerifyEndpoint } from './mfa-verify-endpoint.ts'
import { passkeyLoginEndpoints } from './passkey-login-endpoints.ts'

export const loginFeature = feature('login', (house: UpToPasskeys) => {
  const { settings, http, host, metrics, mfa, tokenAnswers } = house
  const { MODULES } = settings
  const needs = { ...house, count: metrics.countLogin }
  const gate = createGate(needs)
  const login = createLogin({ ...needs, gate })
  const logout = createLogout(needs)
  const exchange = createLoginExchange({ http, host, tokenAnswers, settings })
  return {
    offers: { gate, exchange },
    endpoints: [
      ...tagged('Login', [
        loginEndpoint({ login, exchange }),
        ...logoutEndpoints({ logout, tokenAnswers, http, settings }),
        csrfEndpoint(http.csrf),
      ]),
      ...(MODULES.includes('mfa')
        ? tagged('Second factor', [mfaVerifyEndpoint({ mfa, gate, exchange })])
        : []),
      ...(MODULES.includes('passkeys')
        ? tagged('Passkeys', passkeyLoginEndpoints({ ...house, gate, exchange }))
        : []),
    ],
  }
})

export type UpToLogin = UpToPasskeys & Offers<typeof loginFeature>

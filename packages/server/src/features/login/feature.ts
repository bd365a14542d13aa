import { tagged } from '../../http/endpoint.ts'
import type { KnownDevices } from '../devices/known-devices.ts'
import type { Events } from '../events/events.ts'
import { feature } from '../feature.ts'
import type { TokenAnswers } from '../jwt/answer-tokens.ts'
import type { Pairs } from '../jwt/pairs.ts'
import type { RefreshTokens } from '../jwt/refresh-tokens.ts'
import type { FailedLogins } from '../limits/failed-logins.ts'
import type { Mfa } from '../mfa/mfa.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { AsHookUser } from '../users/hook-user.ts'
import type { Users } from '../users/users.ts'
import { createLoginExchange } from './answer-login.ts'
import { csrfEndpoint } from './csrf-endpoint.ts'
import { createGate } from './gate.ts'
import { createLogin } from './login.ts'
import { loginEndpoint } from './login-endpoint.ts'
import { createLogout } from './logout.ts'
import { logoutEndpoints } from './logout-endpoints.ts'
import { mfaVerifyEndpoint } from './mfa-verify-endpoint.ts'
import { passkeyLoginEndpoints } from './passkey-login-endpoints.ts'

type Earlier = {
  failedLogins: FailedLogins
  events: Events
  users: Users
  asHookUser: AsHookUser
  sessions: Sessions
  tokens: Tokens
  knownDevices: KnownDevices
  pairs: Pairs
  refreshTokens: RefreshTokens
  answers: TokenAnswers
  mfa: Mfa
  passkeys: Passkeys
}

export const loginFeature = feature('login', (context, earlier: Earlier) => {
  const { settings, http, host, metrics } = context
  const { mfa, answers } = earlier
  const { MODULES } = settings
  const needs = { ...context, ...earlier, count: metrics.countLogin }
  const gate = createGate(needs)
  const login = createLogin({ ...needs, gate })
  const logout = createLogout(needs)
  const exchange = createLoginExchange({ http, host, answers, settings })
  return {
    service: { gate, exchange },
    endpoints: [
      ...tagged('Login', [
        loginEndpoint({ login, exchange }),
        ...logoutEndpoints({ logout, answers, http, settings }),
        csrfEndpoint(http.csrf),
      ]),
      ...(MODULES.includes('mfa')
        ? tagged('Second factor', [mfaVerifyEndpoint({ mfa, gate, exchange })])
        : []),
      ...(MODULES.includes('passkeys')
        ? tagged('Passkeys', passkeyLoginEndpoints({ ...earlier, gate, exchange }))
        : []),
    ],
  }
})

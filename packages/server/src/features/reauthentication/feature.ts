import { tagged } from '../../http/endpoint.ts'
import type { Audit } from '../audit/audit.ts'
import { feature } from '../feature.ts'
import type { FailedLogins } from '../limits/failed-logins.ts'
import type { Mfa } from '../mfa/mfa.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import type { OwnPassword } from '../passwords/own-password.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { createReauthenticate } from './reauthenticate.ts'
import { reauthenticateEndpoint } from './reauthenticate-endpoint.ts'

type Earlier = {
  audit: Audit
  failedLogins: FailedLogins
  sessions: Sessions
  tokens: Tokens
  ownPassword: OwnPassword
  mfa: Mfa
  passkeys: Passkeys
}

export const reauthenticationFeature = feature(
  'reauthentication',
  ({ metrics }, earlier: Earlier) => {
    const count = metrics.countReauthentication
    const reauthenticate = createReauthenticate({ ...earlier, count })
    return {
      service: reauthenticate,
      endpoints: tagged('Logins', [reauthenticateEndpoint(reauthenticate)]),
    }
  },
)

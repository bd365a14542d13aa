import { createKeyedDigest } from '../../crypto/keyed-digest.ts'
import { tagged } from '../../http/endpoint.ts'
import type { Audit } from '../audit/audit.ts'
import type { Events } from '../events/events.ts'
import { feature } from '../feature.ts'
import type { Limits } from '../limits/limits.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Revocation } from '../tokens/revocation.ts'
import type { ProvedAddress } from '../users/proved-address.ts'
import type { Users } from '../users/users.ts'
import { activateEndpoints } from './activate-endpoints.ts'
import { knownStatus } from './answer-status.ts'
import { deactivateEndpoint } from './deactivate-endpoint.ts'
import { createMfa } from './mfa.ts'
import { recoveryCodesEndpoints } from './recovery-codes-endpoints.ts'
import { statusEndpoint } from './status-endpoint.ts'

type Earlier = {
  audit: Audit
  limits: Limits
  outbox: Outbox
  events: Events
  users: Users
  provedAddress: ProvedAddress
  revocation: Revocation
}

export const mfaFeature = feature('mfa', (context, earlier: Earlier) => {
  const { settings, secretKey } = context
  const keyedDigest = createKeyedDigest(secretKey, settings.SECRET_KEY_FALLBACKS, 'recovery-codes')
  const mfa = createMfa({ ...context, ...earlier, keyedDigest })
  const isOn = settings.MODULES.includes('mfa')
  return {
    service: mfa,
    endpoints: isOn
      ? tagged('Second factor', [
          ...activateEndpoints(mfa),
          deactivateEndpoint(mfa),
          statusEndpoint(mfa),
          ...recoveryCodesEndpoints(mfa),
        ])
      : [],
    forget: async (user, tx) => ({ mfa: (await mfa.removeUnproved(user, tx)) ? 1 : 0 }),
    keeps: { known: [knownStatus(mfa)], erase: mfa.erase },
    sealed: mfa.sealed,
    takeover: [mfa.takeover],
    sweeps: [
      { table: 'mfa_challenges', forget: mfa.forgetExpiredChallenges },
      { table: 'totp_activations', forget: mfa.forgetExpiredActivations },
    ],
  }
})

import { createKeyedDigest } from '../../crypto/keyed-digest.ts'
import { tagged } from '../../http/endpoint.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToJwt } from '../jwt/feature.ts'
import { activateEndpoints } from './activate-endpoints.ts'
import { knownStatus } from './answer-status.ts'
import { deactivateEndpoint } from './deactivate-endpoint.ts'
import { createMfa } from './mfa.ts'
import { recoveryCodesEndpoints } from './recovery-codes-endpoints.ts'
import { statusEndpoint } from './status-endpoint.ts'

export const mfaFeature = feature('mfa', (house: UpToJwt) => {
  const { settings, secretKey } = house
  const keyedDigest = createKeyedDigest(secretKey, settings.SECRET_KEY_FALLBACKS, 'recovery-codes')
  const mfa = createMfa({ ...house, keyedDigest })
  const isOn = settings.MODULES.includes('mfa')
  return {
    offers: { mfa },
    endpoints: isOn
      ? tagged('Second factor', [
          ...activateEndpoints(mfa),
          deactivateEndpoint(mfa),
          statusEndpoint(mfa),
          ...recoveryCodesEndpoints(mfa),
        ])
      : [],
    keeps: { known: [knownStatus(mfa)], erase: mfa.erase },
    sealed: mfa.sealed,
    takeover: [mfa.takeover],
    sweeps: [
      { table: 'mfa_challenges', forget: mfa.forgetExpiredChallenges },
      { table: 'totp_activations', forget: mfa.forgetExpiredActivations },
    ],
  }
})

export type UpToMfa = UpToJwt & Offers<typeof mfaFeature>

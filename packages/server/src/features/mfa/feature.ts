import { tagged } from '../../http/endpoint.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToJwt } from '../jwt/feature.ts'
import { createMfa } from './mfa.ts'
import { mfaEndpoints, mfaEntry } from './mfa-endpoints.ts'

export const mfaFeature = feature((house: UpToJwt) => {
  const { settings } = house
  const mfa = createMfa(house)
  return {
    offers: { mfa, adoptMfa: mfa.adopt },
    endpoints: settings.MODULES.includes('mfa') ? tagged('Second factor', mfaEndpoints(mfa)) : [],
    keeps: { dossier: [mfaEntry(mfa)], erase: mfa.erase },
    sealed: mfa.sealed,
    sweeps: [
      { table: 'mfa_challenges', key: 'digest', time: 'expires_at' },
      { table: 'totp_activations', key: 'digest', time: 'expires_at' },
    ],
  }
})

export type UpToMfa = UpToJwt & Offers<typeof mfaFeature>

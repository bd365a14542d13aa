import { loadVerifiers } from '../../crypto/webauthn/load-verifiers.ts'
import { tagged } from '../../http/endpoint.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToMfa } from '../mfa/feature.ts'
import { adoptPasskeys } from './adopt-passkeys.ts'
import { passkeysEntry } from './answer-passkey.ts'
import { createPasskeys } from './passkeys.ts'
import { passkeysEndpoints } from './passkeys-endpoints.ts'
import { whyPasskeysCannotWork } from './relying-party.ts'

export const passkeysFeature = feature('passkeys', (house: UpToMfa) => {
  const { settings } = house
  const passkeys = createPasskeys(house)
  const isOn = settings.MODULES.includes('passkeys')
  const warning = isOn ? whyPasskeysCannotWork(settings) : null
  return {
    offers: { passkeys, adoptPasskeys },
    endpoints: isOn ? tagged('Passkeys', passkeysEndpoints(passkeys)) : [],
    warnings: warning === null ? [] : [warning],
    ...(isOn && { later: loadVerifiers }),
    // If passkeys are off or cannot work, they are no way in.
    ...(isOn && warning === null && { wayIn: passkeys.hasAny }),
    removeUnproved: async (user, tx) => ({ passkeys: await passkeys.removeUnproved(user, tx) }),
    keeps: { dossier: [passkeysEntry(passkeys)], erase: passkeys.erase },
    sweeps: [{ table: 'passkey_challenges', key: 'key', time: 'expires_at' }],
  }
})

export type UpToPasskeys = UpToMfa & Offers<typeof passkeysFeature>

import { loadVerifiers } from '../../crypto/webauthn/load-verifiers.ts'
import { tagged } from '../../http/endpoint.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToMfa } from '../mfa/feature.ts'
import { knownPasskeys } from './answer-passkey.ts'
import { manageEndpoints } from './manage-endpoints.ts'
import { passkeyTakeover } from './passkey-takeover.ts'
import { createPasskeys } from './passkeys.ts'
import { registrationEndpoints } from './registration-endpoints.ts'
import { whyPasskeysCannotWork } from './relying-party.ts'

export const passkeysFeature = feature('passkeys', (house: UpToMfa) => {
  const { settings } = house
  const passkeys = createPasskeys(house)
  const isOn = settings.MODULES.includes('passkeys')
  const warning = isOn ? whyPasskeysCannotWork(settings) : null
  return {
    offers: { passkeys },
    endpoints: isOn
      ? tagged('Passkeys', [...registrationEndpoints(passkeys), ...manageEndpoints(passkeys)])
      : [],
    warnings: warning === null ? [] : [warning],
    ...(isOn && { later: loadVerifiers }),
    // What is switched off, or cannot work, lets nobody in.
    ...(isOn && warning === null && { wayIn: passkeys.hasAny }),
    removeUnproved: async (user, tx) => ({ passkeys: await passkeys.removeUnproved(user, tx) }),
    keeps: { known: [knownPasskeys(passkeys)], erase: passkeys.erase },
    takeover: [passkeyTakeover],
    sweeps: [{ table: 'passkey_challenges', forget: passkeys.forgetExpired }],
  }
})

export type UpToPasskeys = UpToMfa & Offers<typeof passkeysFeature>

import { tagged } from '../../http/endpoint.ts'
import { whyPasskeysCannotWork } from '../../settings/why-passkeys-cannot-work.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToMfa } from '../mfa/feature.ts'
import { adoptPasskeys } from './adopt-passkeys.ts'
import { createPasskeys } from './passkeys.ts'
import { passkeysEndpoints, passkeysEntry } from './passkeys-endpoints.ts'

export const passkeysFeature = feature((house: UpToMfa) => {
  const { settings } = house
  const passkeys = createPasskeys(house)
  const isOn = settings.MODULES.includes('passkeys')
  const warning = isOn ? whyPasskeysCannotWork(settings) : null
  return {
    offers: { passkeys, adoptPasskeys },
    endpoints: isOn ? tagged('Passkeys', passkeysEndpoints(passkeys)) : [],
    warnings: () => (warning === null ? [] : [warning]),
    ...(isOn && { later: passkeys.loadIfUsed }),
    // If passkeys are off or cannot work, they are no way in.
    ...(isOn && warning === null && { wayIn: passkeys.hasAny }),
    waysIn: 'passkeys',
    factors: passkeys.onlyFactors,
    keeps: {
      dossier: [passkeysEntry(passkeys)],
      rows: ['passkeys', 'passkey_owners'],
      erase: passkeys.forgetCeremonies,
    },
    sweeps: [{ table: 'passkey_challenges', key: 'key', time: 'expires_at' }],
  }
})

export type UpToPasskeys = UpToMfa & Offers<typeof passkeysFeature>

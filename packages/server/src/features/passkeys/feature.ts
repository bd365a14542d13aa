import { loadVerifiers } from '../../crypto/webauthn/load-verifiers.ts'
import { tagged } from '../../http/endpoint.ts'
import type { Audit } from '../audit/audit.ts'
import { feature } from '../feature.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { ProvedAddress } from '../users/proved-address.ts'
import type { Users } from '../users/users.ts'
import { knownPasskeys } from './answer-passkey.ts'
import { manageEndpoints } from './manage-endpoints.ts'
import { passkeyTakeover } from './passkey-takeover.ts'
import { createPasskeys } from './passkeys.ts'
import { registrationEndpoints } from './registration-endpoints.ts'
import { whyPasskeysCannotWork } from './relying-party.ts'

type Earlier = { audit: Audit; outbox: Outbox; users: Users; provedAddress: ProvedAddress }

export const passkeysFeature = feature('passkeys', (context, earlier: Earlier) => {
  const { settings } = context
  const passkeys = createPasskeys({ ...context, ...earlier })
  const isOn = settings.MODULES.includes('passkeys')
  const warning = isOn ? whyPasskeysCannotWork(settings) : null
  return {
    service: passkeys,
    endpoints: isOn
      ? tagged('Passkeys', [...registrationEndpoints(passkeys), ...manageEndpoints(passkeys)])
      : [],
    warnings: warning === null ? [] : [warning],
    ...(isOn && { later: loadVerifiers }),
    // What is switched off, or cannot work, lets nobody in.
    ...(isOn && warning === null && { wayIn: passkeys.hasAny }),
    forget: async (user, tx) => ({ passkeys: await passkeys.removeAll(user, tx) }),
    keeps: { known: [knownPasskeys(passkeys)], erase: passkeys.erase },
    takeover: [passkeyTakeover],
    sweeps: [{ table: 'passkey_challenges', forget: passkeys.forgetExpired }],
  }
})

import type { Dossier } from '../account/dossier.ts'
import type { Erase } from '../account/erase.ts'
import type { Audit } from '../audit/audit.ts'
import type { Devices } from '../devices/devices.ts'
import type { Events } from '../events/events.ts'
import { feature } from '../feature.ts'
import type { Mfa } from '../mfa/mfa.ts'
import type { Revocation } from '../tokens/revocation.ts'
import type { UserFields } from '../users/user-fields.ts'
import type { Users } from '../users/users.ts'
import { createAdministration } from './administration.ts'
import { createReseal } from './reseal.ts'

type Earlier = {
  erase: Erase
  dossier: Dossier
  audit: Audit
  events: Events
  users: Users
  userFields: UserFields
  revocation: Revocation
  mfa: Mfa
  devices: Devices
}

export const administrationFeature = feature('administration', (context, earlier: Earlier) => ({
  service: {
    administration: createAdministration({ ...context, ...earlier }),
    reseal: createReseal(context),
  },
}))

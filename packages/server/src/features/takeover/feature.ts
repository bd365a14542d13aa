import type { Audit } from '../audit/audit.ts'
import type { Events } from '../events/events.ts'
import { feature } from '../feature.ts'
import type { SpentTokens } from '../jwt/spent-tokens.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { createAdoptUsers } from '../users/takeover/adopt-users.ts'
import type { Users } from '../users/users.ts'
import { createGiveBack } from './give-back.ts'
import { createTakeover } from './takeover.ts'

type Earlier = {
  audit: Audit
  events: Events
  users: Users
  sessions: Sessions
  spentTokens: SpentTokens
}

export const takeoverFeature = feature('takeover', (context, earlier: Earlier) => ({
  service: {
    takeover: createTakeover({ ...context, ...earlier, adoptUsers: createAdoptUsers(context) }),
    giveBack: createGiveBack(context),
  },
}))

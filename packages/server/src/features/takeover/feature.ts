import type { UpToAdministration } from '../administration/feature.ts'
import { feature, type Offers } from '../feature.ts'
import { createAdoptUsers } from '../users/takeover/adopt-users.ts'
import { createGiveBack } from './give-back.ts'
import { createTakeover } from './takeover.ts'

export const takeoverFeature = feature('takeover', (house: UpToAdministration) => ({
  offers: {
    takeover: createTakeover({ ...house, adoptUsers: createAdoptUsers(house) }),
    giveBack: createGiveBack(house),
  },
}))

export type UpToTakeover = UpToAdministration & Offers<typeof takeoverFeature>

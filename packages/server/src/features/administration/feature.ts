import type { UpToAccount } from '../account/feature.ts'
import { feature, type Offers } from '../feature.ts'
import { createAdministration } from './administration.ts'
import { createOperations } from './operations.ts'
import { createReseal } from './reseal.ts'

export const administrationFeature = feature('administration', (house: UpToAccount) => ({
  offers: {
    administration: createAdministration(house),
    operations: createOperations(house),
    reseal: createReseal(house),
  },
}))

export type UpToAdministration = UpToAccount & Offers<typeof administrationFeature>

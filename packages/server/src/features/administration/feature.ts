import type { UpToAccount } from '../account/feature.ts'
import { feature, type Offers } from '../feature.ts'
import { createAdministration } from './administration.ts'
import { createDailyFigures } from './figures.ts'
import { createOperations } from './operations.ts'
import { createOperatorFindings } from './operator-findings.ts'
import { createReseal } from './reseal.ts'

export const administrationFeature = feature('administration', (house: UpToAccount) => {
  const dailyFigures = createDailyFigures(house)
  return {
    offers: {
      administration: createAdministration(house),
      operations: createOperations({ ...house, dailyFigures }),
      operatorFindings: createOperatorFindings(house),
      reseal: createReseal(house),
    },
    worker: dailyFigures.worker,
  }
})

export type UpToAdministration = UpToAccount & Offers<typeof administrationFeature>

import type { UpToAccount } from '../account/feature.ts'
import { feature, type Offers } from '../feature.ts'
import { createAdministration } from './administration.ts'
import { createDailyFigures } from './figures.ts'
import { createFindings } from './findings/findings.ts'
import { createOperations } from './operations.ts'
import { createReseal } from './reseal.ts'

export const administrationFeature = feature((house: UpToAccount) => {
  const dailyFigures = createDailyFigures(house)
  const reseal = createReseal(house)
  const findings = createFindings({ ...house, reseal })
  return {
    offers: {
      administration: createAdministration(house),
      operations: createOperations({ ...house, dailyFigures, findings }),
      findings,
      reseal,
    },
    worker: dailyFigures.worker,
  }
})

export type UpToAdministration = UpToAccount & Offers<typeof administrationFeature>

import type { UpToAccount } from '../account/feature.ts'
import { feature, type Offers } from '../feature.ts'
import { createAdministration } from './administration.ts'
import { createDailyFigures } from './figures.ts'
import { createFindings } from './findings/findings.ts'
import { createOperations } from './operations.ts'
import { createReseal } from './reseal.ts'

const OTHER_KEY =
  'SECRET_KEY: stored data is sealed with another key, so some of it cannot be read. Start with that key, or add it to SECRET_KEY_FALLBACKS. "latchkey check" counts what cannot be read.'

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
    warnings: async () => ((await reseal.needsAnotherKey()) ? [OTHER_KEY] : []),
  }
})

export type UpToAdministration = UpToAccount & Offers<typeof administrationFeature>

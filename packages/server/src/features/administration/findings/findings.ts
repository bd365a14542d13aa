import { MINUTE } from '../../../kernel/clock.ts'
import { createRemembered } from '../../../kernel/remembered.ts'
import type { Finding } from '../../../settings/finding.ts'
import type { UpToAccount } from '../../account/feature.ts'
import type { Reseal } from '../reseal.ts'
import { operatorFindings } from './operator-findings.ts'
import { formerKeyFindings, sealedFindings } from './sealed-findings.ts'
import { settingFindings } from './setting-findings.ts'

export type Findings = ReturnType<typeof createFindings>

/**
 * How many rows at the beginning of each table the running service opens. A lost key usually shows
 * there, and with millions of values the requests would notice.
 */
const OPENED_BESIDE_REQUESTS = 5000

/** The findings of `latchkey check`, for the command and for operators of the running service. */
export function createFindings(house: UpToAccount & { reseal: Reseal }) {
  const { settings, clock } = house
  const sealed = createRemembered(
    async () => [
      ...(await sealedFindings(house, { most: OPENED_BESIDE_REQUESTS })),
      // It counts in whole tables.
      ...(await formerKeyFindings(house)),
    ],
    { clock, lifetimeMs: MINUTE },
  )

  return {
    /** What only the database shows, for a command, which may take its time. */
    async ofDatabase({ deploy }: { deploy: boolean }): Promise<Finding[]> {
      return [
        ...(await sealedFindings(house, { most: Number.POSITIVE_INFINITY })),
        ...(deploy ? await formerKeyFindings(house) : []),
        ...(deploy ? await operatorFindings(house) : []),
      ]
    },

    /** What `check --deploy` wants fixed, as far as the running service can tell. */
    async toFix(): Promise<(Finding & { readonly mend: string })[]> {
      const all = [
        ...settingFindings({ settings }, { deploy: true }),
        ...(await sealed.get()),
        ...(await operatorFindings(house)),
      ]
      return all.flatMap(({ mend, ...finding }) => (mend === null ? [] : [{ ...finding, mend }]))
    },
  }
}

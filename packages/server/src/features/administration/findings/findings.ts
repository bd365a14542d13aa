import { MINUTE } from '../../../kernel/clock.ts'
import { createRemembered } from '../../../kernel/remembered.ts'
import type { UpToAccount } from '../../account/feature.ts'
import type { Reseal } from '../reseal.ts'
import type { Finding } from './finding.ts'
import { operatorFindings } from './operator-findings.ts'
import { formerKeyFindings, sealedFindings } from './sealed-findings.ts'
import { settingFindings } from './setting-findings.ts'

export type Findings = ReturnType<typeof createFindings>

/** The findings of `latchkey check`, for the command and for operators of the running service. */
export function createFindings(house: UpToAccount & { reseal: Reseal }) {
  const { settings, clock } = house
  // It opens every sealed value, so the result is reused for a while.
  const sealed = createRemembered(() => sealedFindings(house), { clock, lifetimeMs: MINUTE })

  /** What only the database shows. */
  async function ofDatabase({ deploy }: { deploy: boolean }): Promise<Finding[]> {
    return [
      ...(await sealed.get()),
      ...(deploy ? await formerKeyFindings(house) : []),
      ...(deploy ? await operatorFindings(house) : []),
    ]
  }

  return {
    ofDatabase,

    /** Everything that `check --deploy` wants fixed. */
    async toFix(): Promise<(Finding & { readonly mend: string })[]> {
      const deploy = true
      const all = [...settingFindings({ settings }, { deploy }), ...(await ofDatabase({ deploy }))]
      return all.flatMap(({ mend, ...finding }) => (mend === null ? [] : [{ ...finding, mend }]))
    },
  }
}

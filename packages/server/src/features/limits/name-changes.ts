import { accountOf, countedBy, type RatePer } from './counted-by.ts'
import type { Limits } from './limits.ts'

export type NameChanges = ReturnType<typeof createNameChanges>

/** Whoever may try names without end learns which of them are taken. */
export function createNameChanges(limits: Limits, rates: readonly RatePer[]) {
  return {
    /** Before the name is looked up; the tries for a name that is taken count as well. */
    async count(user: { id: number }, address: string): Promise<void> {
      const attempt = { account: accountOf(user), address }
      for (const one of countedBy('change_name', rates, attempt)) await limits.take(one)
    },
  }
}

import type { Tx } from '../../storage/handle.ts'
import { accountOf, countedBy, type Limits, type RatePer } from './limits.ts'

export type NameChanges = ReturnType<typeof createNameChanges>

/** Limits changes of the username. Otherwise a client could find out which names are taken. */
export function createNameChanges(limits: Limits, rates: readonly RatePer[]) {
  return {
    /** Call it before the lookup, so that taken names count as well. */
    async count(user: { id: number }, address: string): Promise<void> {
      const attempt = { account: accountOf(user), address }
      for (const one of countedBy('change_name', rates, attempt)) await limits.take(one)
    },

    async forgetUser(user: { id: number }, tx: Tx): Promise<void> {
      const all = countedBy('change_name', rates, { account: accountOf(user), address: '' })
      for (const one of all) await limits.forget(one, tx)
    },
  }
}

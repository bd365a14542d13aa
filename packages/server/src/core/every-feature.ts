import type { Handle, Tx } from '../storage/handle.ts'
import type { User } from '../storage/schema.ts'
import type { Sealed } from './sealed.ts'

/** The part of one feature in what no single feature owns. */
export type Part = {
  /** Whether the user could log in by it. */
  wayIn?(user: User, within: Handle): Promise<boolean>
  /** Takes away what was added to an account while nobody had proved its address: how many of what. */
  forget?(user: User, tx: Tx): Promise<Record<string, number>>
  /** What it keeps sealed: all of it is sealed anew when the key changes. */
  sealed?: readonly Sealed[]
}

export type EveryFeature = ReturnType<typeof askEvery>

/** Whoever asks here asks all features, also those that came later. */
export function askEvery(parts: readonly Part[]) {
  return {
    /** Asked, within the transaction that takes one away, before it is too late. */
    async hasWayIn(user: User, tx: Tx): Promise<boolean> {
      for (const { wayIn } of parts) if (await wayIn?.(user, tx)) return true
      return false
    },

    async forget(user: User, tx: Tx): Promise<Record<string, number>> {
      const forgotten: Record<string, number> = {}
      for (const { forget } of parts) Object.assign(forgotten, await forget?.(user, tx))
      return forgotten
    },

    sealed: (): Sealed[] => parts.flatMap(({ sealed }) => sealed ?? []),
  }
}

import type { Kind } from './scheme.ts'

/**
 * Makes every failed verification take the same time, so that the time does not tell whose password
 * was tried.
 *
 * Hashes of old kinds take more or less time than new ones, and an unknown user has no hash at all.
 * So every failure costs one verification of each kind of hash that this process has met, whatever
 * the account has and whether there is an account.
 */
export type EqualWork = {
  learn(kind: Kind): void
  /** The kinds that a failure still has to compute after `done`, or after none. */
  leftAfter(done: Kind | null): Kind[]
}

/**
 * A failure costs the sum of all kinds, so their number is bounded. A service has more only during
 * a migration from elsewhere.
 */
const MOST_KINDS = 8

export function createEqualWork(preferred: Kind): EqualWork {
  const met = new Map([[preferred.label, preferred]])

  return {
    learn(kind) {
      const known = met.get(kind.label)
      if (known && known.rounds >= kind.rounds) return

      met.set(kind.label, kind)
      if (met.size <= MOST_KINDS) return

      // The first kind is the preferred one, which most users have. It stays.
      const [, oldest] = met.keys()
      if (oldest) met.delete(oldest)
    },

    leftAfter(done) {
      const roundsDone = (kind: Kind) => (kind.label === done?.label ? done.rounds : 0)
      return [...met.values()]
        .map((kind) => ({ ...kind, rounds: kind.rounds - roundsDone(kind) }))
        .filter((kind) => kind.rounds > 0)
    },
  }
}

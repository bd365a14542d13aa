import type { Kind } from './scheme.ts'

/**
 * Keeps the time of a failed verification from telling whose password it was not.
 *
 * Users whose hash has not been renewed yet cost more or less time than the others, and users that
 * do not exist cost none. So every failure is made to cost the same: one verification of each kind
 * of hash met so far, whatever the account has, and whether there is an account at all.
 */
export type EqualWork = {
  learn(kind: Kind): void
  /** What a failure still has to do after a verification of the kind `done`, or after none. */
  leftAfter(done: Kind | null): Kind[]
}

/** More kinds than a service has, unless it is moving house; a failure costs the sum of them. */
const MOST_KINDS = 8

export function createEqualWork(preferred: Kind): EqualWork {
  const met = new Map([[preferred.label, preferred]])

  return {
    learn(kind) {
      const known = met.get(kind.label)
      if (known && known.rounds >= kind.rounds) return

      met.set(kind.label, kind)
      if (met.size <= MOST_KINDS) return

      // The first is the preferred kind, which most users have: it stays.
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

import type { HashKind } from './scheme.ts'

/**
 * The most that all kinds together may cost, in ceilings. All of Django's defaults, present and
 * future, cost about one.
 */
const MOST_SHARES = 1.5

/**
 * The work that a failed verification still has to do, so that its duration does not reveal
 * whose password was tried.
 *
 * Hashes of old kinds take more or less time than new ones, and an unknown user has no hash at all.
 * So every failure costs one verification of each kind that users have, whether or not the account
 * exists. `done` is the kind of the account, if it has one.
 */
export function workLeft(
  preferred: HashKind,
  inUse: readonly HashKind[],
  done: HashKind | null,
): HashKind[] {
  const roundsDone = (kind: HashKind) => (kind.label === done?.label ? done.rounds : 0)
  return bounded(preferred, inUse)
    .map((kind) => ({ ...kind, rounds: kind.rounds - roundsDone(kind) }))
    .filter((kind) => kind.rounds > 0)
}

/** The preferred kind, which most users have, and then the cheapest. */
function bounded(preferred: HashKind, inUse: readonly HashKind[]): HashKind[] {
  const mostExpensive = new Map([[preferred.label, preferred]])
  for (const kind of inUse) {
    const known = mostExpensive.get(kind.label)
    if (!known || known.rounds < kind.rounds) mostExpensive.set(kind.label, kind)
  }
  const [first = preferred, ...others] = mostExpensive.values()
  let total = first.share
  return [
    first,
    ...others
      .toSorted((one, other) => one.share - other.share)
      .filter(({ share }) => {
        total += share
        return total <= MOST_SHARES
      }),
  ]
}

import type { Tx } from '../../../server/src/storage/handle.ts'
import type { Findings } from './findings.ts'

/** The transaction of a batch, and where it notes what it did. */
export type BatchWork = { readonly counts: Counts; readonly findings: Findings; readonly tx: Tx }

export type Counts = ReturnType<typeof createCounts>

/** How many of what were brought over. A resumed import goes on with the counts of before. */
export function createCounts(start: Readonly<Record<string, number>> = {}) {
  const counts = new Map(Object.entries(start))
  return {
    note(what: string, count: number): void {
      if (count > 0) counts.set(what, (counts.get(what) ?? 0) + count)
    },
    all: (): Record<string, number> => Object.fromEntries(counts),
  }
}

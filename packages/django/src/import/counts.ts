import type { Tx } from '../../../server/src/storage/handle.ts'
import type { Findings } from './findings.ts'

/** The transaction of a batch, and where the batch records what it did. */
export type BatchWork = {
  readonly counts: Counts
  readonly findings: Findings
  readonly tx: Tx
  /**
   * Leaves the last superuser to a later phase, which also counts them: this one may still import
   * another superuser.
   */
  readonly waitsForOthers: boolean
}

export type Counts = ReturnType<typeof createCounts>

/**
 * Counts what was imported. A resumed import starts with the counts of the interrupted one. When it
 * goes over everything once more, users without a change have been counted before.
 */
export function createCounts(start: Readonly<Record<string, number>> = {}, isAgain = false) {
  const counts = new Map(Object.entries(start))
  return {
    note(what: string, count: number): void {
      if (isAgain && what === 'unchanged') return
      if (count > 0) counts.set(what, (counts.get(what) ?? 0) + count)
    },
    all: (): Record<string, number> => Object.fromEntries(counts),
  }
}

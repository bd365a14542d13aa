import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, SECOND } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'

/** A table with rows that expire. */
export type Sweep = {
  table: string
  /** Deletes at most `most` expired rows and returns their number. */
  forget(most: number): Promise<number>
}

type Needs = {
  sweeps: readonly Sweep[]
  /** What is deleted must not stay in the journal of the embedded database. */
  emptyJournal(): Promise<void>
  clock: Clock
  log: Log
  count(table: string, rows: number): void
}

/** The embedded database deletes so many rows in some milliseconds. All requests wait meanwhile. */
const BATCH = 1000
/** After this time the rest waits for the next sweep. */
const TIME_PER_TABLE = 20 * SECOND

export type Sweeper = ReturnType<typeof createSweeper>

/**
 * Deletes expired rows, which every read ignores already. It works in small batches, so that
 * requests get their turn in between. Each table is on its own: if one fails, the others are still
 * swept.
 */
export function createSweeper({ sweeps, emptyJournal, clock, log, count }: Needs) {
  return async (isStopping: () => boolean = () => false): Promise<void> => {
    for (const sweep of sweeps) {
      await sweepTable(sweep, isStopping).catch(note(sweep.table))
    }
    await emptyJournal().catch(note('journal'))
  }

  function note(table: string) {
    return (error: unknown) =>
      log.warn({ err: error, table }, 'sweep failed; the next sweep will try again')
  }

  async function sweepTable({ table, forget }: Sweep, isStopping: () => boolean): Promise<void> {
    const until = clock.now() + TIME_PER_TABLE
    while (!isStopping() && clock.now() < until) {
      const rows = await forget(BATCH)
      if (rows === 0) return
      count(table, rows)
      await nextTurn()
    }
  }
}

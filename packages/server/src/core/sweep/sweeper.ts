import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, SECOND } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'

/** One table that is to be rid of what has expired. */
export type Sweep = {
  table: string
  /** Forgets at most so many rows, and tells how many. */
  forget(most: number): Promise<number>
}

type Needs = {
  sweeps: readonly Sweep[]
  clock: Clock
  log: Log
  count(table: string, rows: number): void
}

/** What the embedded database deletes in some milliseconds, for which everybody waits. */
const BATCH = 1000
/** What is left after so long waits for the next sweep. */
const TIME_PER_TABLE = 20 * SECOND

export type Sweeper = ReturnType<typeof createSweeper>

/**
 * Forgets what has expired, which every read ignores already. In small batches, between which
 * others get their turn, and each table on its own: one that fails does not take the rest with it.
 */
export function createSweeper({ sweeps, clock, log, count }: Needs) {
  return async (isStopping: () => boolean = () => false): Promise<void> => {
    for (const sweep of sweeps) {
      try {
        await sweepTable(sweep, isStopping)
      } catch (error) {
        log.warn({ err: error, table: sweep.table }, 'sweep failed; the next one tries again')
      }
    }
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

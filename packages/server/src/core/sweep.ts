import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, MINUTE, SECOND } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { randomInt } from '../kernel/random.ts'
import { deleteOldest, type Expiring } from '../storage/delete-oldest.ts'
import { isFrozen } from '../storage/faults.ts'
import type { Db } from '../storage/handle.ts'

/** Rows that expire, and how long they stay after that; or a function that deletes them. */
export type Sweep =
  | (Expiring & { keepFor?: number })
  /** Deletes at most `most` expired rows and returns their number. */
  | { table: string; forget(most: number): Promise<number> }

type Needs = {
  db: Db
  sweeps: readonly Sweep[]
  /** Deleted data must not stay in the journal of the embedded database. */
  emptyJournal(): Promise<void>
  clock: Clock
  log: Log
  count(table: string, rows: number): void
}

/** The embedded database deletes this many rows in a few milliseconds. All requests wait for it. */
const BATCH = 1000
/** After this time the rest waits for the next sweep. */
const TIME_PER_TABLE = 20 * SECOND

type Sweeper = ReturnType<typeof createSweeper>

/**
 * Deletes expired rows, which every read already ignores. It works in small batches, so that
 * requests are answered in between. If one table fails, the others are still swept.
 */
export function createSweeper({ db, sweeps, emptyJournal, clock, log, count }: Needs) {
  return async (isStopping: () => boolean = () => false): Promise<void> => {
    for (const sweep of sweeps) {
      await sweepTable(sweep, isStopping).catch(note(sweep.table))
    }
    await emptyJournal().catch(note('journal'))
  }

  function note(table: string) {
    return (error: unknown) => {
      if (isFrozen(error)) return
      log.warn({ err: error, table }, 'sweep failed; the next sweep will try again')
    }
  }

  async function sweepTable(sweep: Sweep, isStopping: () => boolean): Promise<void> {
    const until = clock.now() + TIME_PER_TABLE
    while (!isStopping() && clock.now() < until) {
      const rows = await sweepBatch(sweep)
      if (rows === 0) return
      count(sweep.table, rows)
      await nextTurn()
    }
  }

  function sweepBatch(sweep: Sweep): Promise<number> {
    if ('forget' in sweep) return sweep.forget(BATCH)
    return deleteOldest(db, sweep, clock.now() - (sweep.keepFor ?? 0), BATCH)
  }
}

/** Soon after the start, so that a service that is restarted often also sweeps. */
const FIRST_WITHIN = MINUTE
const PAUSE = 8 * MINUTE
const PAUSE_VARIES_BY = 4 * MINUTE

/** Sweeps at random intervals, so that instances that start together do not sweep together. */
export function createSweepWorker(sweep: Sweeper) {
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | null = null

  function wakeAfter(ms: number): void {
    timer = setTimeout(() => {
      round = sweep(() => isStopping).finally(() => {
        round = null
        if (!isStopping) wakeAfter(PAUSE + randomInt(PAUSE_VARIES_BY))
      })
    }, ms).unref()
  }

  return {
    start: (): void => wakeAfter(randomInt(FIRST_WITHIN)),

    /** Waits for the current batch, since the database is closed next. */
    async stop(): Promise<void> {
      isStopping = true
      clearTimeout(timer)
      await round
    },
  }
}

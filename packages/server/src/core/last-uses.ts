import { chunks } from '../kernel/chunks.ts'
import { type Clock, MINUTE, SECOND } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { unlessRefused } from '../storage/faults.ts'
import type { Db } from '../storage/handle.ts'
import { change } from '../storage/query.ts'
import { createPeriodicWorker } from './periodic-worker.ts'

/** The number of ids in each write. It is fixed, so that the statement is always the same. */
export const USES_A_WRITE = 100

const WRITE_EVERY = 5 * SECOND

/** Further ids are ignored until the next write. Their next use is noted again. */
const WAITING_MAX = 10_000

/** No row has this id. It fills the rest of a write. */
const NOBODY = 0

type Needs = { db: Db; clock: Clock; log: Log; noteUses: ReturnType<typeof usesIn> }

/** Sets the time of these rows unless they have a later one. Takes `USES_A_WRITE` ids. */
export const usesIn = (table: 'logins' | 'tokens' | 'api_keys', key: 'id' | 'user_id') =>
  change((db, at: number, ...ids: number[]) =>
    db
      .updateTable(table)
      .set({ last_used_at: at })
      .where(key, 'in', ids)
      .where('last_used_at', '<', at),
  )

/**
 * Remembers when each login or token was last used, to the minute. A request only compares two
 * numbers. The first one of a minute also notes an id, and the ids of many requests are written
 * together. If the process dies before the write, the next use is noted again.
 */
export function createLastUses({ db, clock, log, noteUses }: Needs) {
  /** Ids by the minute of their use. */
  let waiting = new Map<number, Set<number>>()
  let count = 0
  let writing: Promise<void> = Promise.resolve()

  /**
   * Writes run one after another, so a read sees every write that started before it. If the database
   * accepts only lookups, they find older times.
   */
  function flush(): Promise<void> {
    writing = writing.catch(() => {}).then(writeWaiting)
    return writing.catch(unlessRefused)
  }

  async function writeWaiting(): Promise<void> {
    const taken = waiting
    waiting = new Map()
    count = 0
    for (const [minute, ids] of taken) {
      // The clock was set back, as a reset of a test service does. Other rows may have these ids now.
      if (minute > clock.now()) continue
      for (const some of inWrites([...ids])) await noteUses(db, minute, ...some)
    }
  }

  const flushOrForget = (): Promise<void> =>
    flush().catch((error) =>
      log.warn(
        { err: error },
        'cannot write when logins were last used; their next use is noted again',
      ),
    )

  return {
    /** `knownAt` is the time that the row has. */
    note(id: number, knownAt: number): void {
      const now = clock.now()
      const minute = now - (now % MINUTE)
      if (knownAt >= minute || count >= WAITING_MAX) return
      const ids = waiting.get(minute) ?? new Set()
      if (ids.has(id)) return
      waiting.set(minute, ids.add(id))
      count += 1
    },

    /** Writes what this process knows. Call it before reading. */
    flush,

    worker: createPeriodicWorker(flushOrForget, WRITE_EVERY),
  }
}

/** Sorted, so that two instances cannot deadlock. */
const inWrites = (ids: readonly number[]): number[][] =>
  chunks(
    ids.toSorted((a, b) => a - b),
    USES_A_WRITE,
  ).map((some) => [...some, ...Array<number>(USES_A_WRITE - some.length).fill(NOBODY)])

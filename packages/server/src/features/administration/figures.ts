import type { Figures } from '../../core/metrics.ts'
import { createPeriodicWorker } from '../../core/periodic-worker.ts'
import { DAY, isoTime, SECOND } from '../../kernel/clock.ts'
import { createRemembered } from '../../kernel/remembered.ts'
import type { UpToAccount } from '../account/feature.ts'
import { addFigure, type Figure, listFigures } from './figures-queries.ts'

const DAYS = 30
const STORE_EVERY = 10 * SECOND
/** Counting users reads an index from one end to the other. */
const COUNT_AGAIN_AFTER = 10 * SECOND
const KINDS = ['sign_ups', 'logins', 'failures'] as const

export type DailyFigures = ReturnType<typeof createDailyFigures>

/**
 * Counts sign-ups and logins by day. Each process counts in memory and adds to the rows of the day
 * every few seconds, so that logins do not wait for each other at one row. A crash loses the last
 * seconds.
 */
export function createDailyFigures({ db, clock, metrics, users, log }: UpToAccount) {
  const userCount = createRemembered(users.count, { clock, lifetimeMs: COUNT_AGAIN_AFTER })
  /** Counts that are not stored yet, one for each day and kind. */
  const waiting: Figure[] = []

  function keep({ day, kind, count }: Figure): void {
    const same = waiting.find((one) => one.day === day && one.kind === kind)
    if (same) same.count += count
    else waiting.push({ day, kind, count })
  }

  async function store(): Promise<void> {
    const taken = metrics.takeFigures()
    const day = startOf(clock.now())
    for (const kind of KINDS) if (taken[kind] > 0) keep({ day, kind, count: taken[kind] })
    // Taken out first, so that parallel calls do not add it twice.
    for (let next = waiting.shift(); next; next = waiting.shift()) await add(next)
  }

  async function add(figure: Figure): Promise<void> {
    try {
      await addFigure(db, figure)
    } catch (error) {
      keep(figure)
      throw error
    }
  }

  const tryToStore = (): Promise<void> =>
    store().catch((error: unknown) =>
      log.warn({ err: error }, 'the figures of the last seconds could not be stored yet'),
    )

  return {
    worker: createPeriodicWorker(tryToStore, STORE_EVERY),

    /** The last 30 days in UTC, today included. Other processes may be a few seconds behind. */
    async show() {
      // Reads go on while the database refuses writes, as during `latchkey move`.
      await tryToStore()
      const today = startOf(clock.now())
      const first = today - (DAYS - 1) * DAY
      const rows = [...(await listFigures(db, first)), ...waiting]
      const on = (day: number, kind: keyof Figures) =>
        rows
          .filter((row) => row.day === day && row.kind === kind)
          .reduce((sum, { count }) => sum + count, 0)
      return {
        users: await userCount.get(),
        days: Array.from({ length: DAYS }, (_, n) => first + n * DAY).map((day) => ({
          day: isoTime(day).slice(0, 10),
          sign_ups: on(day, 'sign_ups'),
          logins: on(day, 'logins'),
          failures: on(day, 'failures'),
        })),
      }
    },
  }
}

const startOf = (time: number): number => time - (time % DAY)

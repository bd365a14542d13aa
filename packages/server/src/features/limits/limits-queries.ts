import { sql } from 'kysely'
import { CLOCK_DIFFERENCE } from '../../kernel/clock.ts'
import type { Handle } from '../../storage/handle.ts'
import { change, one, whether } from '../../storage/query.ts'

/** Epoch milliseconds have this many digits until the year 2286. */
const DIGITS = 13

/** No limit is higher. Beyond this number PostgreSQL cannot cut the text. */
const COUNT_MAX = 100_000_000

/** A later hit is from before the clock was set back, and does not count. */
export const lastCounted = (windowMs: number, now: number): number =>
  now + Math.max(windowMs, CLOCK_DIFFERENCE)

/**
 * Adds a hit unless the last `count` hits are all within the window, and returns whether it did. It
 * is one statement, so parallel callers on any instance cannot exceed the limit together.
 */
export function takeHit(
  handle: Handle,
  key: string,
  count: number,
  windowMs: number,
  now: number,
): Promise<boolean> {
  const width = DIGITS * Math.min(count, COUNT_MAX)
  const row = { key, hits: text(now), expires_at: now + windowMs }
  const counting = { from: text(now - windowMs + 1), to: text(lastCounted(windowMs, now)) }
  return addHit(handle, row, { width, oldestStart: width - DIGITS + 1, ...counting })
}

type Row = { key: string; hits: string; expires_at: number }
type Window = { width: number; oldestStart: number; from: string; to: string }

const addHit = whether(
  (db, { key, hits, expires_at }: Row, { width, oldestStart, from, to }: Window) =>
    db
      .insertInto('limits')
      .values({ key, hits, expires_at })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ hits: sql`substr(${hits} || limits.hits, 1, ${width})`, expires_at })
          .where(
            sql<boolean>`length(limits.hits) < ${width} or substr(limits.hits, ${oldestStart}, ${DIGITS}) not between ${from} and ${to}`,
          ),
      )
      .returning('key'),
)

/** If the window is full: the time of the hit that must leave it before the next hit fits. */
export async function findBlockingHit(
  handle: Handle,
  key: string,
  count: number,
): Promise<number | undefined> {
  const row = await findHits(handle, key)
  const oldest = row?.hits.slice(DIGITS * (count - 1), DIGITS * count)
  return oldest ? Number(oldest) : undefined
}

const findHits = one((db, key: string) =>
  db.selectFrom('limits').select('hits').where('key', '=', key),
)

/** Removes the newest hit. */
export const giveHitBack = change((db, key: string) =>
  db
    .updateTable('limits')
    .set({ hits: sql<string>`substr(hits, ${DIGITS + 1})` })
    .where('key', '=', key),
)

export const forgetHits = change((db, key: string) =>
  db.deleteFrom('limits').where('key', '=', key),
)

const text = (time: number): string => String(time).padStart(DIGITS, '0')

/** Only the test service forgets everything. */
export const forgetAllHits = change((db) => db.deleteFrom('limits'))

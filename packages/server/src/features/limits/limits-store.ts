import { type Kysely, sql } from 'kysely'
import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Database } from '../../storage/schema.ts'

export type LimitsStore = ReturnType<typeof limitsStore>

/** Epoch milliseconds have this many digits until the year 2286. */
const DIGITS = 13

/** Nobody counts further, and beyond it PostgreSQL cannot say where a text is to be cut. */
const COUNT_MAX = 100_000_000

export function limitsStore(db: Kysely<Database>) {
  return {
    /**
     * Adds a hit unless the last `count` of them all lie within the window, and tells whether it
     * did: one statement, so parallel callers on any instance cannot exceed the limit together.
     */
    async take(key: string, count: number, windowMs: number, now: number): Promise<boolean> {
      const expires_at = now + windowMs
      const width = DIGITS * Math.min(count, COUNT_MAX)
      const oldestStart = width - DIGITS + 1
      const taken = await db
        .insertInto('limits')
        .values({ key, hits: text(now), expires_at })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet({
              hits: sql`substr(${text(now)} || limits.hits, 1, ${width})`,
              expires_at,
            })
            .where(
              sql<boolean>`length(limits.hits) < ${width} or substr(limits.hits, ${oldestStart}, ${DIGITS}) <= ${text(now - windowMs)}`,
            ),
        )
        .returning('key')
        .executeTakeFirst()
      return taken !== undefined
    },

    /** The time of the hit that must leave the window before the next may enter, if it is full. */
    async blockingHit(key: string, count: number): Promise<number | undefined> {
      const row = await db
        .selectFrom('limits')
        .select('hits')
        .where('key', '=', key)
        .executeTakeFirst()
      const oldest = row?.hits.slice(DIGITS * (count - 1), DIGITS * count)
      return oldest ? Number(oldest) : undefined
    },

    /** Takes the newest hit back. */
    giveBack: (key: string) =>
      db
        .updateTable('limits')
        .set({ hits: sql`substr(hits, ${DIGITS + 1})` })
        .where('key', '=', key)
        .execute(),

    forget: (key: string) => db.deleteFrom('limits').where('key', '=', key).execute(),

    forgetExpired: (now: number, most: number): Promise<number> =>
      deleteOldest(db, { table: 'limits', key: 'key', time: 'expires_at' }, now, most),
  }
}

const text = (time: number): string => String(time).padStart(DIGITS, '0')

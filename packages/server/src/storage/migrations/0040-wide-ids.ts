import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** In the order in which requests lock them. */
const GROWING = [
  ['logins', 'id'],
  ['impersonations', 'login_id'],
  ['spent_refresh_tokens', 'login_id'],
  ['audit_events', 'id'],
  ['events', 'id'],
] as const

/**
 * On PostgreSQL, ids that every login and every event uses up get 64 bits, and so do their sequences. SQLite
 * has them already.
 */
export const wideIds: Migration = {
  name: '0040-wide-ids',
  async up({ engine, schema, run }) {
    if (engine === 'sqlite') return
    // All locks come first. Otherwise a table would be rewritten in vain if the next one is in use.
    const tables = sql.join(GROWING.map(([table]) => sql.table(table)))
    await run(sql`lock table ${tables} in access exclusive mode`)
    for (const [table, column] of GROWING) {
      await schema
        .alterTable(table)
        .alterColumn(column, (c) => c.setDataType('bigint'))
        .execute()
    }
  },
}

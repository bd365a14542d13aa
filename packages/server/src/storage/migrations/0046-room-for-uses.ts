import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/**
 * Requests note when logins and tokens were last used. If the page has room for the changed row, PostgreSQL
 * leaves the indexes alone. Without it, each note wrote to three random pages more. Rows from before keep
 * their pages.
 */
export const roomForUses: Migration = {
  name: '0046-room-for-uses',
  async up({ engine, run }) {
    if (engine === 'sqlite') return
    for (const table of ['logins', 'tokens']) {
      await run(sql`alter table ${sql.table(table)} set (fillfactor = 90)`)
    }
  },
}

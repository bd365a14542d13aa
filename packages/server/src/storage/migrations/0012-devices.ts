import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Where a login comes from, when it was last used, and when its user last proved who they are. */
export const devices: Migration = {
  name: '0012-devices',
  async up({ schema, run, bigint }) {
    // One statement each, since SQLite adds only one column at a time.
    await schema.alterTable('logins').addColumn('address', 'text').execute()
    await schema.alterTable('logins').addColumn('user_agent', 'text').execute()
    for (const table of ['logins', 'tokens'] as const) {
      for (const column of ['last_used_at', 'authenticated_at'] as const) {
        await schema
          .alterTable(table)
          .addColumn(column, bigint, (c) => c.notNull().defaultTo(0))
          .execute()
      }
      // Nothing more is known of those that exist.
      await run(sql`update ${sql.table(table)}
        set last_used_at = created_at, authenticated_at = created_at`)
    }

    // These had a second factor. The first one was not stored; most often it is a password.
    await run(sql`update logins set method = 'password' where method = 'mfa'`)

    await schema
      .createTable('known_devices')
      .addColumn('digest', 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'integer', (c) =>
        c.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('expires_at', bigint, (c) => c.notNull())
      .execute()
    for (const [name, column] of [
      ['known_devices_of_user', 'user_id'],
      ['known_devices_by_expiry', 'expires_at'],
    ] as const) {
      await schema.createIndex(name).on('known_devices').column(column).execute()
    }
  },
}

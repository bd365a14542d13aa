import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/**
 * Everything that belongs to a user goes with the account, so every row says whose it is. Spent
 * tokens whose login has ended stay without an owner until they expire, and so do mails that waited
 * before this migration.
 */
export const ownedRows: Migration = {
  name: '0014-owned-rows',
  async up({ schema, run }) {
    for (const table of ['outbox', 'spent_refresh_tokens']) {
      await schema
        .alterTable(table)
        .addColumn('user_id', 'integer', (c) => c.references('users.id').onDelete('cascade'))
        .execute()
    }
    await run(
      sql`update spent_refresh_tokens
        set user_id = (select user_id from logins where logins.id = login_id)`,
    )
    for (const table of ['outbox', 'spent_refresh_tokens', 'passkey_challenges']) {
      await schema.createIndex(`${table}_of_user`).on(table).column('user_id').execute()
    }
  },
}

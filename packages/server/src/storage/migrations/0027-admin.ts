import type { Migration } from '../migrate.ts'

/** The credentials of the admin API: sessions of people, and keys of programs. */
export const admin: Migration = {
  name: '0027-admin',
  async up({ schema, bigint, identity }) {
    await schema
      .createTable('admin_sessions')
      .addColumn('digest', 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'integer', (c) =>
        c.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('epoch', 'integer', (c) => c.notNull())
      .addColumn('created_at', bigint, (c) => c.notNull())
      .addColumn('last_used_at', bigint, (c) => c.notNull())
      .addColumn('proved_at', bigint)
      .addColumn('expires_at', bigint, (c) => c.notNull())
      .execute()
    for (const [name, column] of [
      ['admin_sessions_of_user', 'user_id'],
      ['admin_sessions_by_expiry', 'expires_at'],
    ] as const) {
      await schema.createIndex(name).on('admin_sessions').column(column).execute()
    }

    await schema
      .createTable('admin_keys')
      .$call(identity)
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('digest', 'text', (c) => c.notNull().unique())
      .addColumn('scopes', 'text', (c) => c.notNull())
      .addColumn('created_by', 'text', (c) => c.notNull())
      .addColumn('created_at', bigint, (c) => c.notNull())
      .addColumn('expires_at', bigint)
      .addColumn('last_used_at', bigint)
      .execute()
  },
}

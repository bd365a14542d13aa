import type { Migration } from '../migrate.ts'

/** Keys that users make for programs (`API_KEYS`). */
export const apiKeys: Migration = {
  name: '0032-api-keys',
  async up({ schema, bigint, identity }) {
    await schema
      .createTable('api_keys')
      .$call(identity)
      .addColumn('user_id', 'integer', (c) =>
        c.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('digest', 'text', (c) => c.notNull().unique())
      .addColumn('scopes', 'text', (c) => c.notNull())
      .addColumn('created_at', bigint, (c) => c.notNull())
      .addColumn('expires_at', bigint)
      .addColumn('last_used_at', bigint, (c) => c.notNull().defaultTo(0))
      .addColumn('added_unproved', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    for (const [name, column] of [
      ['api_keys_of_user', 'user_id'],
      ['api_keys_by_expiry', 'expires_at'],
    ] as const) {
      await schema.createIndex(name).on('api_keys').column(column).execute()
    }
  },
}

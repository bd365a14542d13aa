import type { Migration } from '../migrate.ts'

export const invitations: Migration = {
  name: '0035-invitations',
  async up({ schema, bigint, identity }) {
    await schema
      .createTable('invitations')
      .$call(identity)
      .addColumn('digest', 'text', (c) => c.notNull().unique())
      .addColumn('user_id', 'integer', (c) => c.notNull())
      .addColumn('email_key', 'text', (c) => c.notNull())
      .addColumn('group_names', 'text', (c) => c.notNull())
      .addColumn('fields', 'text', (c) => c.notNull())
      .addColumn('created_at', bigint, (c) => c.notNull())
      .addColumn('expires_at', bigint, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('invitations_of_user')
      .on('invitations')
      .columns(['user_id', 'email_key'])
      .unique()
      .execute()
    for (const column of ['email_key', 'expires_at'] as const) {
      await schema
        .createIndex(`invitations_by_${column}`)
        .on('invitations')
        .column(column)
        .execute()
    }
  },
}

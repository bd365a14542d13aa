import type { Migration } from '../migrate.ts'

export const emailKeys: Migration = {
  name: '0002-email-keys',
  async up({ schema, bigint }) {
    await schema
      .createTable('email_keys')
      .addColumn('digest', 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'integer', (c) =>
        c.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('email_key', 'text', (c) => c.notNull())
      .addColumn('expires_at', bigint, (c) => c.notNull())
      .execute()
    await schema.createIndex('email_keys_of_user').on('email_keys').column('user_id').execute()
    await schema.createIndex('email_keys_by_expiry').on('email_keys').column('expires_at').execute()
  },
}

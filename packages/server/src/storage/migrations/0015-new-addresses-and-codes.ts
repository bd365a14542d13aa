import type { Migration } from '../migrate.ts'

export const newAddressesAndCodes: Migration = {
  name: '0015-new-addresses-and-codes',
  async up({ schema, bigint }) {
    // One statement each, since SQLite adds only one column at a time.
    await schema
      .alterTable('email_keys')
      .addColumn('purpose', 'text', (c) => c.notNull().defaultTo('verify'))
      .execute()
    await schema
      .alterTable('email_keys')
      .addColumn('epoch', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()

    await schema
      .createTable('login_codes')
      .addColumn('place', 'integer', (c) => c.primaryKey())
      .addColumn('session_digest', 'text', (c) => c.notNull())
      .addColumn('user_id', 'integer', (c) => c.notNull())
      .addColumn('account', 'text', (c) => c.notNull())
      .addColumn('code_digest', 'text', (c) => c.notNull())
      .addColumn('tries_left', 'integer', (c) => c.notNull())
      .addColumn('expires_at', bigint, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('login_codes_by_expiry')
      .on('login_codes')
      .column('expires_at')
      .execute()
    await schema.createIndex('login_codes_of_user').on('login_codes').column('user_id').execute()
  },
}

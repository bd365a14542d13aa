import type { Migration } from '../migrate.ts'

export const passkeys: Migration = {
  name: '0005-passkeys',
  async up({ schema, identity, bigint }) {
    await schema
      .createTable('passkey_owners')
      .addColumn('user_id', 'integer', (c) =>
        c.primaryKey().references('users.id').onDelete('cascade'),
      )
      .addColumn('handle', 'text', (c) => c.notNull())
      .execute()

    await schema
      .createTable('passkeys')
      .$call(identity)
      .addColumn('user_id', 'integer', (c) =>
        c.notNull().references('passkey_owners.user_id').onDelete('cascade'),
      )
      .addColumn('credential_id', 'text', (c) => c.notNull().unique())
      .addColumn('public_key', 'text', (c) => c.notNull())
      .addColumn('sign_count', bigint, (c) => c.notNull())
      .addColumn('user_verified', 'integer', (c) => c.notNull())
      .addColumn('backup_eligible', 'integer', (c) => c.notNull())
      .addColumn('backed_up', 'integer', (c) => c.notNull())
      .addColumn('discoverable', 'integer', (c) => c.notNull())
      .addColumn('transports', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('created_at', bigint, (c) => c.notNull())
      .addColumn('last_used_at', bigint)
      .execute()
    await schema.createIndex('passkeys_of_user').on('passkeys').columns(['user_id', 'id']).execute()

    await schema
      .createTable('passkey_challenges')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('digest', 'text', (c) => c.notNull())
      .addColumn('user_id', 'integer')
      .addColumn('expires_at', bigint, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('passkey_challenges_by_expiry')
      .on('passkey_challenges')
      .column('expires_at')
      .execute()
  },
}

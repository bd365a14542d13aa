import type { Migration } from '../migrate.ts'

export const social: Migration = {
  name: '0006-social',
  async up({ schema, identity, bigint }) {
    await schema
      .createTable('social_accounts')
      .$call(identity)
      .addColumn('user_id', 'integer', (c) =>
        c.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('provider', 'text', (c) => c.notNull())
      .addColumn('issuer', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('created_at', bigint, (c) => c.notNull())
      .addColumn('last_login_at', bigint, (c) => c.notNull())
      .addUniqueConstraint('social_accounts_identity', ['provider', 'issuer', 'subject'])
      .execute()
    await schema
      .createIndex('social_accounts_of_user')
      .on('social_accounts')
      .columns(['user_id', 'id'])
      .execute()

    await schema
      .createTable('spent_proofs')
      .addColumn('digest', 'text', (c) => c.primaryKey())
      .addColumn('expires_at', bigint, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('spent_proofs_by_expiry')
      .on('spent_proofs')
      .column('expires_at')
      .execute()
  },
}

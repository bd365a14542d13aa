import type { Migration } from '../migrate.ts'

export const mfa: Migration = {
  name: '0004-mfa',
  async up({ schema, bigint }) {
    await schema
      .createTable('totp_authenticators')
      .addColumn('user_id', 'integer', (c) =>
        c.primaryKey().references('users.id').onDelete('cascade'),
      )
      .addColumn('sealed_secret', 'text', (c) => c.notNull())
      .addColumn('last_step', bigint, (c) => c.notNull())
      .addColumn('created_at', bigint, (c) => c.notNull())
      .addColumn('last_used_at', bigint)
      .execute()

    await schema
      .createTable('totp_activations')
      .addColumn('digest', 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'integer', (c) =>
        c.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('sealed_secret', 'text', (c) => c.notNull())
      .addColumn('expires_at', bigint, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('totp_activations_of_user')
      .on('totp_activations')
      .column('user_id')
      .execute()
    await schema
      .createIndex('totp_activations_by_expiry')
      .on('totp_activations')
      .column('expires_at')
      .execute()

    await schema
      .createTable('recovery_codes')
      .addColumn('user_id', 'integer', (c) =>
        c.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('digest', 'text', (c) => c.notNull())
      .addColumn('sealed_code', 'text', (c) => c.notNull())
      .addColumn('position', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('recovery_codes_key', ['user_id', 'digest'])
      .execute()

    await schema
      .createTable('mfa_challenges')
      .addColumn('digest', 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'integer', (c) =>
        c.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('epoch', 'integer', (c) => c.notNull())
      .addColumn('method', 'text', (c) => c.notNull())
      .addColumn('tries_left', 'integer', (c) => c.notNull())
      .addColumn('expires_at', bigint, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('mfa_challenges_of_user')
      .on('mfa_challenges')
      .column('user_id')
      .execute()
    await schema
      .createIndex('mfa_challenges_by_expiry')
      .on('mfa_challenges')
      .column('expires_at')
      .execute()
  },
}

import type { Migration } from '../migrate.ts'

export const accounts: Migration = {
  name: '0001-accounts',
  async up({ schema, identity, bigint }) {
    await schema
      .createTable('users')
      .$call(identity)
      .addColumn('username', 'text', (c) => c.notNull())
      .addColumn('username_key', 'text', (c) => c.notNull().unique())
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('email_key', 'text', (c) => c.unique())
      .addColumn('email_verified', 'integer', (c) => c.notNull())
      .addColumn('first_name', 'text', (c) => c.notNull())
      .addColumn('last_name', 'text', (c) => c.notNull())
      .addColumn('password', 'text', (c) => c.notNull())
      .addColumn('is_active', 'integer', (c) => c.notNull())
      .addColumn('epoch', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('joined_at', bigint, (c) => c.notNull())
      .addColumn('last_login_at', bigint)
      .addColumn('revoked_at', bigint)
      .execute()

    await schema
      .createTable('tokens')
      .addColumn('user_id', 'integer', (c) =>
        c.primaryKey().references('users.id').onDelete('cascade'),
      )
      .addColumn('digest', 'text', (c) => c.notNull().unique())
      .addColumn('sealed_key', 'text', (c) => c.notNull())
      .addColumn('created_at', bigint, (c) => c.notNull())
      .execute()

    await schema
      .createTable('logins')
      .$call(identity)
      .addColumn('user_id', 'integer', (c) =>
        c.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('method', 'text', (c) => c.notNull())
      .addColumn('session_digest', 'text', (c) => c.unique())
      .addColumn('created_at', bigint, (c) => c.notNull())
      .addColumn('expires_at', bigint, (c) => c.notNull())
      .execute()
    await schema.createIndex('logins_of_user').on('logins').column('user_id').execute()
    await schema.createIndex('logins_by_expiry').on('logins').column('expires_at').execute()

    await schema
      .createTable('limits')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('hits', 'text', (c) => c.notNull())
      .addColumn('expires_at', bigint, (c) => c.notNull())
      .execute()
    await schema.createIndex('limits_by_expiry').on('limits').column('expires_at').execute()

    await schema
      .createTable('outbox')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('sealed_letter', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('due_at', bigint, (c) => c.notNull())
      .addColumn('created_at', bigint, (c) => c.notNull())
      .execute()
    await schema.createIndex('outbox_by_due').on('outbox').columns(['state', 'due_at']).execute()

    await schema
      .createTable('audit_events')
      .$call(identity)
      .addColumn('user_id', 'integer', (c) =>
        c.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('at', bigint, (c) => c.notNull())
      .addColumn('event', 'text', (c) => c.notNull())
      .addColumn('details', 'text', (c) => c.notNull())
      .execute()
    await schema
      .createIndex('audit_events_of_user')
      .on('audit_events')
      .columns(['user_id', 'id'])
      .execute()
    await schema.createIndex('audit_events_by_time').on('audit_events').column('at').execute()
  },
}

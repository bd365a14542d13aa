import type { Migration } from '../migrate.ts'

export const django: Migration = {
  name: '0017-django',
  async up({ schema, bigint }) {
    await schema
      .createTable('django_users')
      .addColumn('source_key', 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'integer')
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('parts', 'text', (c) => c.notNull())
      .execute()
    await schema.createIndex('django_users_here').on('django_users').column('user_id').execute()

    await schema
      .createTable('django_addresses')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('user_id', 'integer', (c) =>
        c.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('email_key', 'text', (c) => c.notNull())
      .addColumn('verified', 'integer', (c) => c.notNull())
      .execute()
    for (const column of ['user_id', 'email_key'] as const) {
      await schema
        .createIndex(`django_addresses_by_${column}`)
        .on('django_addresses')
        .column(column)
        .execute()
    }

    await schema
      .createTable('django_sessions')
      .addColumn('digest', 'text', (c) => c.primaryKey())
      .addColumn('seen_in', 'integer', (c) => c.notNull())
      .addColumn('expires_at', bigint, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('django_sessions_by_expiry')
      .on('django_sessions')
      .column('expires_at')
      .execute()

    await schema
      .createTable('django_import')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('value', 'text', (c) => c.notNull())
      .execute()

    await schema
      .createTable('django_findings')
      .addColumn('source_key', 'text', (c) => c.notNull())
      .addColumn('part', 'text', (c) => c.notNull())
      .addColumn('what', 'text', (c) => c.notNull())
      .addColumn('pk', 'text', (c) => c.notNull())
      .addColumn('why', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('django_findings_pk', ['source_key', 'part', 'what'])
      .execute()
  },
}

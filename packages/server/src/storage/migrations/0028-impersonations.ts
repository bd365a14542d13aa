import type { Migration } from '../migrate.ts'

/** Operators who use the account of a user. The credentials belong to a login, as all others do. */
export const impersonations: Migration = {
  name: '0028-impersonations',
  async up({ schema, bigint }) {
    await schema
      .createTable('impersonations')
      .addColumn('login_id', 'integer', (c) => c.primaryKey())
      .addColumn('user_id', 'integer', (c) => c.notNull())
      .addColumn('operator_id', 'integer', (c) => c.notNull())
      .addColumn('operator_epoch', 'integer', (c) => c.notNull())
      .addColumn('operator_revoked_at', bigint)
      .addColumn('address', 'text')
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('expires_at', bigint, (c) => c.notNull())
      .addColumn('link_digest', 'text', (c) => c.unique())
      .addColumn('link_until', bigint, (c) => c.notNull())
      .execute()
    for (const column of ['user_id', 'operator_id', 'expires_at'] as const) {
      const name = `impersonations_by_${column}` as const
      await schema.createIndex(name).on('impersonations').column(column).execute()
    }
  },
}

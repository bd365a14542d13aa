import type { Migration } from '../migrate.ts'

export const refreshTokens: Migration = {
  name: '0003-refresh-tokens',
  async up({ schema, bigint }) {
    await schema
      .createTable('spent_refresh_tokens')
      .addColumn('digest', 'text', (c) => c.primaryKey())
      .addColumn('login_id', 'integer')
      .addColumn('sealed_successor', 'text')
      .addColumn('spent_at', bigint, (c) => c.notNull())
      .addColumn('expires_at', bigint, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('spent_refresh_tokens_by_expiry')
      .on('spent_refresh_tokens')
      .column('expires_at')
      .execute()
  },
}

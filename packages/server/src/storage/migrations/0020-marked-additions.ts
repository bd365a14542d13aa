import type { Migration } from '../migrate.ts'

/**
 * Passkeys and social accounts remember whether the address of their user was unproved when they
 * were added. Those that are there already count as added by the owner. A login code may outlive the
 * session that it was mailed for; sessions that are open now have to start over.
 */
export const markedAdditions: Migration = {
  name: '0020-marked-additions',
  async up({ schema, bigint }) {
    for (const table of ['passkeys', 'social_accounts']) {
      await schema
        .alterTable(table)
        .addColumn('added_unproved', 'integer', (c) => c.notNull().defaultTo(0))
        .execute()
    }
    await schema
      .alterTable('login_codes')
      .addColumn('session_until', bigint, (c) => c.notNull().defaultTo(0))
      .execute()
    await schema.createIndex('login_codes_of_account').on('login_codes').column('account').execute()
  },
}

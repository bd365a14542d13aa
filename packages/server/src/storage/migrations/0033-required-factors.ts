import type { Migration } from '../migrate.ts'

/** When users were first asked for a second factor, and which logins have shown two factors. */
export const requiredFactors: Migration = {
  name: '0033-required-factors',
  async up({ schema, bigint }) {
    await schema.alterTable('users').addColumn('mfa_asked_at', bigint).execute()
    await schema
      .alterTable('logins')
      .addColumn('verified_passkey', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}

import type { Migration } from '../migrate.ts'

/** Somebody without an account makes a passkey first. The row keeps what they want to register. */
export const passkeySignups: Migration = {
  name: '0036-passkey-sign-ups',
  async up({ schema }) {
    await schema.alterTable('passkey_challenges').addColumn('form', 'text').execute()
  },
}

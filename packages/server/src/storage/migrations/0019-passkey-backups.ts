import type { Migration } from '../migrate.ts'

/** Passkeys of another service may come without word on whether they can be backed up. */
export const passkeyBackups: Migration = {
  name: '0019-passkey-backups',
  async up({ schema }) {
    await schema
      .alterTable('passkeys')
      .addColumn('backup_known', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()
  },
}

import type { Migration } from '../migrate.ts'

/** How often a user has changed the address: links and codes for the former ones stay void. */
export const emailEpochs: Migration = {
  name: '0039-email-epochs',
  async up({ schema }) {
    await schema
      .alterTable('users')
      .addColumn('email_epoch', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}

import type { Migration } from '../migrate.ts'

/** Who is sending a mail now. */
export const mailClaims: Migration = {
  name: '0042-mail-claims',
  async up({ schema }) {
    await schema.alterTable('outbox').addColumn('claim', 'text').execute()
  },
}

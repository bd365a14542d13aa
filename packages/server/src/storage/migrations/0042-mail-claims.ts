import type { Migration } from '../migrate.ts'

/** A claim names the try that is sending a mail. */
export const mailClaims: Migration = {
  name: '0042-mail-claims',
  async up({ schema }) {
    await schema.alterTable('outbox').addColumn('claim', 'text').execute()
  },
}

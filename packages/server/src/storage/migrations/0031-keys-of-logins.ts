import type { Migration } from '../migrate.ts'

/** With `TOKEN_CREATOR` a login can have a key of its own. Shared keys can expire. */
export const keysOfLogins: Migration = {
  name: '0031-keys-of-logins',
  async up({ schema }) {
    await schema.alterTable('logins').addColumn('key_digest', 'text').execute()
    await schema
      .createIndex('logins_by_key')
      .on('logins')
      .column('key_digest')
      .unique()
      .where('key_digest', 'is not', null)
      .execute()
    await schema.createIndex('tokens_by_age').on('tokens').column('created_at').execute()
  },
}

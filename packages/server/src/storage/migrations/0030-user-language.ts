import type { Migration } from '../migrate.ts'

/** The language of a user, from their sign-up or their own choice. Earlier users have none. */
export const userLanguage: Migration = {
  name: '0030-user-language',
  async up({ schema }) {
    await schema.alterTable('users').addColumn('language', 'text').execute()
  },
}

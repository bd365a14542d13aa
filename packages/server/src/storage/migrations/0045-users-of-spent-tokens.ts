import type { Migration } from '../migrate.ts'

/** Most spent tokens name no user any more, and the index leaves them out. */
export const usersOfSpentTokens: Migration = {
  name: '0045-users-of-spent-tokens',
  async up({ schema }) {
    await schema.dropIndex('spent_refresh_tokens_of_user').execute()
    await schema
      .createIndex('spent_refresh_tokens_of_user')
      .on('spent_refresh_tokens')
      .column('user_id')
      .where('user_id', 'is not', null)
      .execute()
  },
}

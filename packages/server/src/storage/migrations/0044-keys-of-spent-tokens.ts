import type { Migration } from '../migrate.ts'

/**
 * The keys of tokens that are spent from now on begin with the expiry. Rows from before stay as they are,
 * and are found by the digest alone. The new name of the column stops instances of older versions: they
 * would not see the new keys, and accept a spent token.
 */
export const keysOfSpentTokens: Migration = {
  name: '0044-keys-of-spent-tokens',
  async up({ schema }) {
    await schema.alterTable('spent_refresh_tokens').renameColumn('digest', 'key').execute()
  },
}

import type { Migration } from '../migrate.ts'

/** A challenge knows the social account that its login has linked by the address. */
export const linksOfChallenges: Migration = {
  name: '0043-links-of-challenges',
  async up({ schema }) {
    await schema.alterTable('mfa_challenges').addColumn('linked_account', 'integer').execute()
  },
}

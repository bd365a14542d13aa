import type { Migration } from '../migrate.ts'

export const usernameSkeletons: Migration = {
  name: '0009-username-skeletons',
  async up({ schema }) {
    await schema.alterTable('users').addColumn('username_skeleton', 'text').execute()
    await schema
      .createIndex('users_username_skeleton')
      .unique()
      .on('users')
      .column('username_skeleton')
      .execute()
  },
}

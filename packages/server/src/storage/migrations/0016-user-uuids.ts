import type { Migration } from '../migrate.ts'

export const userUuids: Migration = {
  name: '0016-user-uuids',
  async up({ schema }) {
    await schema.alterTable('users').addColumn('uuid', 'text').execute()
    await schema.createIndex('users_uuid').on('users').column('uuid').unique().execute()
  },
}

import type { Migration } from '../migrate.ts'

export const coveredUserFields: Migration = {
  name: '0013-covered-user-fields',
  async up({ schema }) {
    await schema
      .createTable('covered_user_fields')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .execute()
  },
}

import type { Migration } from '../migrate.ts'

export const userFields: Migration = {
  name: '0011-user-fields',
  async up({ schema }) {
    const columns = [
      ['is_staff', 'integer', 0],
      ['is_superuser', 'integer', 0],
      ['group_names', 'text', '[]'],
      ['extra', 'text', '{}'],
    ] as const
    // One statement each, since SQLite adds only one column at a time.
    for (const [name, type, value] of columns) {
      await schema
        .alterTable('users')
        .addColumn(name, type, (c) => c.notNull().defaultTo(value))
        .execute()
    }

    await schema
      .createTable('unique_user_fields')
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('digest', 'text', (c) => c.notNull())
      .addColumn('user_id', 'integer', (c) =>
        c.notNull().references('users.id').onDelete('cascade'),
      )
      .addPrimaryKeyConstraint('unique_user_fields_pk', ['name', 'digest'])
      .execute()
    await schema
      .createIndex('unique_user_fields_of_user')
      .on('unique_user_fields')
      .columns(['user_id', 'name'])
      .execute()
  },
}

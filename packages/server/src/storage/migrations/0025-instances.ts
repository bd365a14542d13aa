import type { Migration } from '../migrate.ts'

/** `latchkey move` has to know whether a service uses the database, and asks it to pause its writes. */
export const instances: Migration = {
  name: '0025-instances',
  async up({ schema, bigint }) {
    await schema
      .createTable('latchkey_instances')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('frozen', 'integer', (c) => c.notNull())
      .addColumn('lease_until', bigint, (c) => c.notNull())
      .execute()
  },
}

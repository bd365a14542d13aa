import type { Migration } from '../migrate.ts'

/** The first start after this reads all passwords once, and fills it (`features/users/hash-kinds.ts`). */
export const hashKinds: Migration = {
  name: '0021-hash-kinds',
  async up({ schema }) {
    await schema
      .createTable('hash_kinds')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('rounds', 'bigint', (c) => c.notNull())
      .addColumn('specimen', 'text', (c) => c.notNull())
      .execute()
  },
}

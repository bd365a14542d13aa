import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

const OF_OPERATORS = ['operator_kind', 'operator_pk', 'operator_name']

/** Leaves out rows without a value: few audit events have an operator, and most users no UUID. */
export const smallerIndexes: Migration = {
  name: '0041-smaller-indexes',
  async up({ engine, schema, run }) {
    // In the order in which requests lock them. Otherwise the two could wait for each other.
    if (engine === 'postgres') {
      await run(sql`lock table users, audit_events in access exclusive mode`)
    }
    for (const column of OF_OPERATORS) {
      await schema.dropIndex(`audit_events_with_${column}`).execute()
      await schema
        .createIndex(`audit_events_with_${column}`)
        .on('audit_events')
        .columns([column, 'at', 'id'])
        .where(sql.ref(column), 'is not', null)
        .execute()
    }
    await schema.dropIndex('users_uuid').execute()
    await schema
      .createIndex('users_uuid')
      .on('users')
      .column('uuid')
      .unique()
      .where('uuid', 'is not', null)
      .execute()
  },
}

import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/**
 * The audit row of a deletion must outlive the account, so it cannot have a foreign key to it.
 * SQLite cannot drop a foreign key, so the table is built again.
 */
export const auditOutlives: Migration = {
  name: '0007-audit-outlives',
  async up({ schema, run, identity, bigint }) {
    await schema
      .createTable('audit_events_new')
      .$call(identity)
      .addColumn('user_id', 'integer', (c) => c.notNull())
      .addColumn('at', bigint, (c) => c.notNull())
      .addColumn('event', 'text', (c) => c.notNull())
      .addColumn('details', 'text', (c) => c.notNull())
      .execute()
    await run(
      sql`insert into audit_events_new (user_id, at, event, details)
        select user_id, at, event, details from audit_events order by id`,
    )
    await schema.dropTable('audit_events').execute()
    await schema.alterTable('audit_events_new').renameTo('audit_events').execute()
    await schema
      .createIndex('audit_events_of_user')
      .on('audit_events')
      .columns(['user_id', 'id'])
      .execute()
    await schema.createIndex('audit_events_by_time').on('audit_events').column('at').execute()
  },
}

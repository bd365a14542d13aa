import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** The audit finds a deleted user by the UUID, too. With numbers, the id is the pk. */
export const deletedUuids: Migration = {
  name: '0029-deleted-uuids',
  async up({ schema, run }) {
    await schema.alterTable('audit_events').addColumn('user_uuid', 'text').execute()
    await run(sql`create index audit_events_by_user_uuid on audit_events (user_uuid)
      where user_uuid is not null`)
  },
}

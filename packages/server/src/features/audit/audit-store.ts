import type { Insertable, Kysely } from 'kysely'
import type { Database } from '../../storage/schema.ts'

export type AuditStore = ReturnType<typeof auditStore>

export function auditStore(db: Kysely<Database>) {
  return {
    add: (event: Insertable<Database['audit_events']>) =>
      db.insertInto('audit_events').values(event).execute(),

    newestOfUser: (userId: number, count: number) =>
      db
        .selectFrom('audit_events')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(count)
        .execute(),
  }
}

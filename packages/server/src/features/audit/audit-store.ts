import type { Insertable, Kysely, Selectable } from 'kysely'
import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Database } from '../../storage/schema.ts'

export type AuditStore = ReturnType<typeof auditStore>

export type AuditRow = Selectable<Database['audit_events']>

export function auditStore(db: Kysely<Database>, afterCommit: (effect: () => void) => void) {
  return {
    afterCommit,

    add: (event: Insertable<Database['audit_events']>) =>
      db.insertInto('audit_events').values(event).execute(),

    /** The first of its kind on a day is added, and counts the others; tells which one this is. */
    async countOfDay(event: Insertable<Database['audit_events']>, dayKey: string): Promise<number> {
      const first = await db
        .insertInto('audit_events')
        .values({ ...event, day_key: dayKey })
        .onConflict((conflict) =>
          conflict
            .column('day_key')
            .doUpdateSet((eb) => ({ times: eb('audit_events.times', '+', 1) })),
        )
        .returning('times')
        .executeTakeFirstOrThrow()
      return first.times
    },

    newestOfUser: (userId: number, count: number): Promise<AuditRow[]> =>
      db
        .selectFrom('audit_events')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(count)
        .execute(),

    forgetUser: (userId: number) =>
      db.deleteFrom('audit_events').where('user_id', '=', userId).execute(),

    forgetUntil: (time: number, most: number): Promise<number> =>
      deleteOldest(db, { table: 'audit_events', key: 'id', time: 'at' }, time, most),
  }
}

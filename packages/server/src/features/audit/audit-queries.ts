import type { Insertable, Selectable } from 'kysely'
import type { Handle } from '../../storage/handle.ts'
import { change, many, one } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

export type NewEvent = Insertable<Database['audit_events']>
export type AuditRow = Selectable<Database['audit_events']>

export const addEvent = change((db, event: NewEvent) => db.insertInto('audit_events').values(event))

/** Adds the first event of a kind and day, or counts a later one. Returns the count. */
export async function countEventOfDay(
  handle: Handle,
  event: NewEvent,
  dayKey: string,
): Promise<number> {
  const first = await addOrCount(handle, { ...event, day_key: dayKey })
  if (!first) throw new Error('An event was not counted.')
  return first.times
}

const addOrCount = one((db, event: NewEvent) =>
  db
    .insertInto('audit_events')
    .values(event)
    .onConflict((conflict) =>
      conflict.column('day_key').doUpdateSet((eb) => ({ times: eb('audit_events.times', '+', 1) })),
    )
    .returning('times'),
)

export const forgetOperator = change((db, pk: string) =>
  db
    .updateTable('audit_events')
    .set({ operator_name: null, address: null })
    .where('operator_pk', '=', pk)
    .where('operator_kind', 'in', ['person', 'impersonation']),
)

export const newestEventsOfUser = many((db, userId: number, count: number) =>
  db
    .selectFrom('audit_events')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(count),
)

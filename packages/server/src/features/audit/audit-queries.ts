import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { change, inserted, one } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

export type NewEvent = Insertable<Database['audit_events']>
export type AuditRow = Selectable<Database['audit_events']>

export const addEvent = change((db, event: NewEvent) => db.insertInto('audit_events').values(event))

/** Adds the first event of a kind and day, or counts a later one. Returns the count. */
export const countEventOfDay = inserted((db, event: NewEvent & { day_key: string }) =>
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

/** What the events in a list have in common. */
export type EventFilter = {
  readonly userId?: number | undefined
  readonly event?: string | undefined
  readonly operator?:
    | {
        readonly column: 'operator_kind' | 'operator_pk' | 'operator_name'
        readonly is: string
      }
    | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
}

/** Newest first. Each part of the filter has an index in this order. */
export function findEvents(
  handle: Handle,
  { userId, event, operator, since, until }: EventFilter,
  after: { at: number; id: number } | null,
  count: number,
): Promise<AuditRow[]> {
  let query = kyselyOf(handle).selectFrom('audit_events').selectAll()
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (event !== undefined) query = query.where('event', '=', event)
  if (operator) query = query.where(sql.ref<string>(operator.column), '=', operator.is)
  if (since !== undefined) query = query.where('at', '>=', since)
  if (until !== undefined) query = query.where('at', '<', until)
  if (after) query = query.where(sql<SqlBool>`(at, id) < (${after.at}, ${after.id})`)
  return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(count).execute()
}

export const findDeleted = one((db, uuid: string) =>
  db.selectFrom('audit_events').select('user_id').where('user_uuid', '=', uuid),
)

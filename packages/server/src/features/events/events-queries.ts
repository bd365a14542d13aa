import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { change, inserted, many, one, whether } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

export type EventRow = Selectable<Database['events']>

/** What waits for one receiver about one user. */
export type Line = { receiver: string; user_id: number }

export const keepListener = change((db, listener: Insertable<Database['event_listeners']>) =>
  db
    .insertInto('event_listeners')
    .values(listener)
    .onConflict((conflict) =>
      conflict.column('receiver').doUpdateSet((eb) => ({ kinds: eb.ref('excluded.kinds') })),
    ),
)

export const findListener = one((db, receiver: string) =>
  db.selectFrom('event_listeners').select('kinds').where('receiver', '=', receiver),
)

/** Forgets hooks that no instance has any more: nobody has taken what was due for them by then. */
export const forgetListeners = many((db, until: number) =>
  db
    .deleteFrom('event_listeners')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('event_lines')
          .select('user_id')
          .whereRef('event_lines.receiver', '=', 'event_listeners.receiver')
          .where('due_at', '<=', until),
      ),
    )
    .returning('receiver'),
)

export const isOverdue = whether((db, receiver: string, until: number) =>
  db
    .selectFrom('event_lines')
    .select('user_id')
    .where('receiver', '=', receiver)
    .where('due_at', '<=', until)
    .limit(1),
)

export const addEvent = change((db, event: Insertable<Database['events']>) =>
  db.insertInto('events').values(event),
)

/**
 * Opens the line, or locks it until the commit, and returns the number of the next event. Without the
 * lock a worker could close the line at this moment, and the new event would never be delivered. A new
 * line goes on after the events that were given up, since these can be put back.
 */
export const openLine = inserted((db, { receiver, user_id }: Line, due_at: number) =>
  db
    .insertInto('event_lines')
    .values((eb) => ({
      receiver,
      user_id,
      due_at,
      claim: null,
      last_number: eb
        .selectFrom('events')
        .select(({ fn, lit }) => sql<number>`${fn.coalesce(fn.max('number'), lit(0))} + 1`.as('n'))
        .where('receiver', '=', receiver)
        .where('user_id', '=', user_id),
    }))
    .onConflict((conflict) =>
      conflict
        .columns(['receiver', 'user_id'])
        .doUpdateSet((eb) => ({ last_number: eb('event_lines.last_number', '+', 1) })),
    )
    .returning('last_number'),
)

/** The first event of a line. An instance of an older version does not number its events. */
const firstIn = (receiver: RawBuilder<string>, userId: RawBuilder<number>) =>
  sql<number>`(select waiting.id from events as waiting
    where waiting.receiver = ${receiver} and waiting.user_id = ${userId} and waiting.state = 'queued'
    order by waiting.number, waiting.id limit 1)`

/**
 * Instances may have different hooks, for example during an upgrade. Each leaves to the others what
 * these listen to and it does not. `own` has its kinds, with commas.
 */
const isOurs = (own: string) =>
  sql<SqlBool>`not exists (select 1 from event_listeners, events
    where event_listeners.receiver = event_lines.receiver
    and events.id = ${firstIn(sql.ref('event_lines.receiver'), sql.ref('event_lines.user_id'))}
    and ',' || event_listeners.kinds || ',' like '%,' || events.kind || ',%'
    and ',' || ${own} || ',' not like '%,' || events.kind || ',%')`

/** The lines that have waited longest come first. */
export const findDueLines = many((db, receiver: string, own: string, now: number, count: number) =>
  db
    .selectFrom('event_lines')
    .select(['receiver', 'user_id'])
    .where('receiver', '=', receiver)
    .where('due_at', '<=', now)
    .where(isOurs(own))
    .orderBy('due_at')
    .limit(count),
)

/** Of all workers on all instances one succeeds. */
export const claimLine = whether(
  (db, { receiver, user_id }: Line, own: string, claim: string, now: number, until: number) =>
    db
      .updateTable('event_lines')
      .set({ claim, due_at: until })
      .where('receiver', '=', receiver)
      .where('user_id', '=', user_id)
      .where('due_at', '<=', now)
      // Since it was found, another worker may have delivered its first event.
      .where(isOurs(own))
      .returning('claim'),
)

/** Counts a try of the first event of the line. Undefined if the line is empty. */
export const takeFirst = one((db, { receiver, user_id }: Line) =>
  db
    .updateTable('events')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', firstIn(sql`${receiver}`, sql`${user_id}`))
    .returningAll(),
)

/** Makes the line due at the given time. Returns false if another worker has claimed it. */
export const releaseLine = whether((db, { receiver, user_id }: Line, claim: string, due: number) =>
  db
    .updateTable('event_lines')
    .set({ claim: null, due_at: due })
    .where('receiver', '=', receiver)
    .where('user_id', '=', user_id)
    .where('claim', '=', claim)
    .returning('due_at'),
)

export const hasEvents = whether((db, { receiver, user_id }: Line) =>
  db
    .selectFrom('events')
    .select('id')
    .where('receiver', '=', receiver)
    .where('user_id', '=', user_id)
    .where('state', '=', 'queued')
    .limit(1),
)

export const removeLine = change((db, { receiver, user_id }: Line) =>
  db.deleteFrom('event_lines').where('receiver', '=', receiver).where('user_id', '=', user_id),
)

export const removeEvent = change((db, id: number) => db.deleteFrom('events').where('id', '=', id))

export const markDead = change((db, id: number) =>
  db.updateTable('events').set({ state: 'dead' }).where('id', '=', id),
)

export const countWaiting = one((db) =>
  db
    .selectFrom('events')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'queued'),
)

/** Undelivered events, oldest first. */
export const listUndelivered = many((db, at: number, id: number, count: number) =>
  db
    .selectFrom('events')
    .leftJoin('event_lines', (join) =>
      join
        .onRef('event_lines.receiver', '=', 'events.receiver')
        .onRef('event_lines.user_id', '=', 'events.user_id'),
    )
    .selectAll('events')
    .select('event_lines.due_at')
    .where(sql<SqlBool>`(events.created_at, events.id) > (${at}, ${id})`)
    .orderBy('events.created_at')
    .orderBy('events.id')
    .limit(count),
)

/** Newest first. An event has a row for each receiver; `queued` if one of them still waits. */
export const listEventsOfUser = many((db, userId: number, count: number) =>
  db
    .selectFrom('events')
    .select((eb) => ['kind', eb.fn.max('state').as('state'), 'created_at'])
    .where('user_id', '=', userId)
    .groupBy(['event_id', 'kind', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy((eb) => eb.fn.max('number'), 'desc')
    .limit(count),
)

export const forgetDeadOfUser = change((db, userId: number) =>
  db.deleteFrom('events').where('user_id', '=', userId).where('state', '=', 'dead'),
)

/** Puts one event, or all if the id is null, back into their lines. Returns how many. */
export async function requeue(handle: Handle, eventId: string | null): Promise<number> {
  const requeued = await kyselyOf(handle)
    .updateTable('events')
    .set({ state: 'queued', attempts: 0 })
    .$if(eventId !== null, (query) => query.where('event_id', '=', eventId ?? ''))
    .returning('id')
    .execute()
  return requeued.length
}

/** Makes the lines of one event, or all if the id is null, due at once, unless they are claimed. */
export async function openLines(
  handle: Handle,
  now: number,
  longestClaim: number,
  eventId: string | null,
): Promise<void> {
  const only = eventId === null ? sql`` : sql`and event_id = ${eventId}`
  await sql`insert into event_lines (receiver, user_id, due_at, last_number)
    select receiver, user_id, cast(${now} as bigint), max(number) from events
    where (receiver, user_id) in (select receiver, user_id from events where true ${only})
    group by receiver, user_id
    on conflict (receiver, user_id) do update set due_at = excluded.due_at
    where event_lines.claim is null
    or event_lines.due_at > ${now + longestClaim}`.execute(kyselyOf(handle))
}

/** Lines of removed receivers, whose events the sweep has deleted. */
export async function forgetEmptyLines(
  handle: Handle,
  until: number,
  most: number,
): Promise<number> {
  const isEmpty = sql`due_at <= ${until} and not exists (select 1 from events
    where events.receiver = event_lines.receiver and events.user_id = event_lines.user_id
    and events.state = 'queued')`
  const chosen = sql`select receiver, user_id, last_number from event_lines where ${isEmpty}
    order by due_at limit ${most}`
  // The number is compared, since an event may join meanwhile. PostgreSQL then looks at the changed
  // line again, but not for events that this statement could not see when it began.
  const deletion = sql`delete from event_lines
    where (receiver, user_id, last_number) in (${chosen})`
  const { numAffectedRows = 0n } = await deletion.execute(kyselyOf(handle))
  return Number(numAffectedRows)
}

import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { change, many, one, whether } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

type Outbox = Database['outbox']
export type OutboxRow = Selectable<Outbox>

export const addMail = change((db, mail: Insertable<Outbox>) =>
  db.insertInto('outbox').values(mail),
)

/** The mails that have waited longest come first. */
export const findDueMails = many((db, now: number, count: number) =>
  db
    .selectFrom('outbox')
    .select('id')
    .where('state', '=', 'queued')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(count),
)

/** Claims a mail until the given time. Of all senders on all instances one succeeds. */
export const claimMail = one((db, id: string, claim: string, now: number, until: number) =>
  db
    .updateTable('outbox')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), due_at: until, claim }))
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('due_at', '<=', now)
    .returningAll(),
)

/** Deletes the letter, since its links are secrets. */
export const markSent = change((db, id: string) =>
  db
    .updateTable('outbox')
    .set({ state: 'sent', claim: null, sealed_letter: '' })
    .where('id', '=', id),
)

type Try = Pick<OutboxRow, 'id' | 'claim'>

/**
 * Ends a try that has failed. Changes nothing if the mail was sent in the meantime, since its letter must
 * stay deleted, or if another worker has claimed it and is sending it.
 */
export const endTry = whether((db, { id, claim }: Try, changes: Updateable<Outbox>) =>
  db
    .updateTable('outbox')
    .set({ ...changes, claim: null })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('claim', '=', claim)
    .returning('id'),
)

/** The language that the user has now, whenever the letter was written. */
export const findLanguage = one((db, userId: number) =>
  db.selectFrom('users').select('language').where('id', '=', userId),
)

export const countQueued = one((db) =>
  db
    .selectFrom('outbox')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'queued'),
)

/** Undelivered mails after a position, oldest first. */
export const listUndelivered = many((db, at: number, id: string, count: number) =>
  db
    .selectFrom('outbox')
    .selectAll()
    .where('state', 'in', ['queued', 'dead'])
    .where(sql<SqlBool>`(created_at, id) > (${at}, ${id})`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(count),
)

/** Newest first. */
export const listUndeliveredOfUser = many((db, userId: number, count: number) =>
  db
    .selectFrom('outbox')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', 'in', ['queued', 'dead'])
    .orderBy('created_at', 'desc')
    .limit(count),
)

/**
 * Makes one mail due at once, or all if the id is null, for another day. Returns how many. A mail that
 * is being sent stays claimed, since another worker would send it a second time.
 */
export async function retryMails(
  handle: Handle,
  now: number,
  longestClaim: number,
  id: string | null,
): Promise<number> {
  const dueAt = sql<number>`case when claim is not null and due_at <= ${now + longestClaim}
    then due_at else cast(${now} as bigint) end`
  const retried = await kyselyOf(handle)
    .updateTable('outbox')
    .set({ state: 'queued', due_at: dueAt, created_at: now, attempts: 0 })
    .where('state', 'in', ['queued', 'dead'])
    .$if(id !== null, (query) => query.where('id', '=', id ?? ''))
    .returning('id')
    .execute()
  return retried.length
}

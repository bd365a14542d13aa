import type { Insertable, Kysely, Selectable } from 'kysely'
import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Database } from '../../storage/schema.ts'

export type OutboxStore = ReturnType<typeof outboxStore>
export type OutboxRow = Selectable<Database['outbox']>

/** `onMail` is called when a mail was added for good; once, however many there are. */
export function outboxStore(
  db: Kysely<Database>,
  onMail: () => void,
  afterCommit: (effect: () => void) => void,
) {
  const queued = db.selectFrom('outbox').where('state', '=', 'queued')

  return {
    async add(mail: Insertable<Database['outbox']>): Promise<void> {
      await db.insertInto('outbox').values(mail).execute()
      afterCommit(onMail)
    },

    afterCommit,

    /** Those that have waited longest come first. */
    async findDue(now: number, count: number): Promise<string[]> {
      const rows = await queued
        .select('id')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(count)
        .execute()
      return rows.map((row) => row.id)
    },

    /** Of all senders on all instances one gets it, and has it for himself until then. */
    claim: (id: string, now: number, until: number): Promise<OutboxRow | undefined> =>
      db
        .updateTable('outbox')
        .set((eb) => ({ attempts: eb('attempts', '+', 1), due_at: until }))
        .where('id', '=', id)
        .where('state', '=', 'queued')
        .where('due_at', '<=', now)
        .returningAll()
        .executeTakeFirst(),

    /** The letter is gone for good, and so are the links in it. */
    markSent: (id: string) =>
      db
        .updateTable('outbox')
        .set({ state: 'sent', sealed_letter: '' })
        .where('id', '=', id)
        .execute(),

    postpone: (id: string, until: number) =>
      db.updateTable('outbox').set({ due_at: until }).where('id', '=', id).execute(),

    markDead: (id: string) =>
      db.updateTable('outbox').set({ state: 'dead' }).where('id', '=', id).execute(),

    async countQueued(): Promise<number> {
      const row = await queued.select((eb) => eb.fn.countAll<string>().as('n')).executeTakeFirst()
      return Number(row?.n ?? 0)
    },

    /** What is not delivered, the oldest first. */
    listUndelivered: (count: number): Promise<OutboxRow[]> =>
      db
        .selectFrom('outbox')
        .selectAll()
        .where('state', 'in', ['queued', 'dead'])
        .orderBy('created_at')
        .limit(count)
        .execute(),

    /** Due at once, with a whole new day to try in; tells how many. Without an id: all of them. */
    async retry(now: number, id: string | null): Promise<number> {
      const retried = await db
        .updateTable('outbox')
        .set({ state: 'queued', due_at: now, created_at: now, attempts: 0 })
        .where('state', 'in', ['queued', 'dead'])
        .$if(id !== null, (query) => query.where('id', '=', id ?? ''))
        .returning('id')
        .execute()
      if (retried.length > 0) afterCommit(onMail)
      return retried.length
    },

    forget(state: 'sent' | 'dead', until: number, most: number): Promise<number> {
      const where = { column: 'state', is: state } as const
      return deleteOldest(db, { table: 'outbox', key: 'id', time: 'due_at', where }, until, most)
    },
  }
}

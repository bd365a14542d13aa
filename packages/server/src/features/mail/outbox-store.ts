import type { Insertable, Kysely } from 'kysely'
import type { Database } from '../../storage/schema.ts'

export type OutboxStore = ReturnType<typeof outboxStore>

export function outboxStore(db: Kysely<Database>) {
  return {
    add: (mail: Insertable<Database['outbox']>) => db.insertInto('outbox').values(mail).execute(),
  }
}

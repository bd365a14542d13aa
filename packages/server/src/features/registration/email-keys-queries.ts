import type { Insertable } from 'kysely'
import { change, many, one, whether } from '../../storage/query.ts'
import type { Database, EmailKey } from '../../storage/schema.ts'

export type Purpose = EmailKey['purpose']

export const addKey = change((db, key: Insertable<Database['email_keys']>) =>
  db.insertInto('email_keys').values(key),
)

export const findKey = one((db, purpose: Purpose, digest: string, now: number) =>
  db
    .selectFrom('email_keys')
    .selectAll()
    .where('digest', '=', digest)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now),
)

/** Of parallel uses exactly one gets the row. */
export const consumeKey = one((db, purpose: Purpose, digest: string, now: number) =>
  db
    .deleteFrom('email_keys')
    .where('digest', '=', digest)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returningAll(),
)

export const findChangeOfUser = one((db, userId: number, epoch: number, now: number) =>
  db
    .selectFrom('email_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('purpose', '=', 'change')
    .where('epoch', '=', epoch)
    .where('expires_at', '>', now),
)

/** Returns whether there was one. */
export const removeChangeOfUser = whether((db, userId: number) =>
  db
    .deleteFrom('email_keys')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'change')
    .returning('digest'),
)

/** The newest first. */
export const listKeysOfUser = many((db, userId: number, now: number, count: number) =>
  db
    .selectFrom('email_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc')
    .limit(count),
)

import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Handle } from '../../storage/handle.ts'
import { change, one } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

export const addKey = change((db, key: Database['email_keys']) =>
  db.insertInto('email_keys').values(key),
)

export const findKey = one((db, digest: string, now: number) =>
  db
    .selectFrom('email_keys')
    .select(['user_id', 'email_key'])
    .where('digest', '=', digest)
    .where('expires_at', '>', now),
)

/** Of parallel uses exactly one gets the row. */
export const consumeKey = one((db, digest: string, now: number) =>
  db
    .deleteFrom('email_keys')
    .where('digest', '=', digest)
    .where('expires_at', '>', now)
    .returning(['user_id', 'email_key']),
)

export const forgetExpiredKeys = (handle: Handle, now: number, most: number): Promise<number> =>
  deleteOldest(handle, { table: 'email_keys', key: 'digest', time: 'expires_at' }, now, most)

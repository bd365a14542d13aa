import { sql } from 'kysely'
import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Handle } from '../../storage/handle.ts'
import { change, one, whether } from '../../storage/query.ts'
import type { PasskeyChallenge } from '../../storage/schema.ts'

/** In the place of an older one for the same thing. */
export const putChallenge = change((db, challenge: PasskeyChallenge) =>
  db
    .insertInto('passkey_challenges')
    .values(challenge)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(challenge)),
)

/** Only where nothing is that has not expired; tells whether it was put. */
export const putChallengeIfFree = whether((db, challenge: PasskeyChallenge, now: number) =>
  db
    .insertInto('passkey_challenges')
    .values(challenge)
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(challenge)
        .where('passkey_challenges.expires_at', '<=', now),
    )
    .returning('key'),
)

/** Of parallel calls one gets it; those whose digest begins otherwise do not. */
export const takeChallenge = (handle: Handle, key: string, beginning: string) =>
  takeByBeginning(handle, key, beginning, beginning.length)

const takeByBeginning = one((db, key: string, beginning: string, length: number) =>
  db
    .deleteFrom('passkey_challenges')
    .where('key', '=', key)
    .where(sql`substr(digest, 1, ${length})`, '=', beginning)
    .returningAll(),
)

export const forgetExpiredChallenges = (
  handle: Handle,
  now: number,
  most: number,
): Promise<number> =>
  deleteOldest(handle, { table: 'passkey_challenges', key: 'key', time: 'expires_at' }, now, most)

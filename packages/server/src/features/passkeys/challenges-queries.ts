import { sql } from 'kysely'
import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Handle } from '../../storage/handle.ts'
import { change, one, whether } from '../../storage/query.ts'
import type { PasskeyChallenge } from '../../storage/schema.ts'

/** Replaces an older challenge with the same key. */
export const putChallenge = change((db, challenge: PasskeyChallenge) =>
  db
    .insertInto('passkey_challenges')
    .values(challenge)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(challenge)),
)

/** Puts a challenge only if the place is free or expired. Returns whether it did. */
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

/**
 * Removes and returns a challenge. Of parallel calls one gets it, and only with the right beginning
 * of the digest.
 */
export const takeChallenge = (handle: Handle, key: string, beginning: string) =>
  takeByBeginning(handle, key, beginning, beginning.length)

const takeByBeginning = one((db, key: string, beginning: string, length: number) =>
  db
    .deleteFrom('passkey_challenges')
    .where('key', '=', key)
    .where(sql`substr(digest, 1, ${length})`, '=', beginning)
    .returningAll(),
)

export const removeChallenge = change((db, key: string) =>
  db.deleteFrom('passkey_challenges').where('key', '=', key),
)

/** Gives the challenges that need a passkey of one user to another. */
export const passChallengesOn = change((db, userId: number, otherId: number) =>
  db.updateTable('passkey_challenges').set({ user_id: otherId }).where('user_id', '=', userId),
)

export const forgetExpiredChallenges = (
  handle: Handle,
  now: number,
  most: number,
): Promise<number> =>
  deleteOldest(handle, { table: 'passkey_challenges', key: 'key', time: 'expires_at' }, now, most)

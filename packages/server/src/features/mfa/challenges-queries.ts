import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Handle } from '../../storage/handle.ts'
import { keepYoungest } from '../../storage/keep-youngest.ts'
import { change, one } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

export const addChallenge = change((db, challenge: Database['mfa_challenges']) =>
  db.insertInto('mfa_challenges').values(challenge),
)

export const findLiveChallenge = one((db, digest: string, now: number) =>
  db
    .selectFrom('mfa_challenges')
    .selectAll()
    .where('digest', '=', digest)
    .where('tries_left', '>', 0)
    .where('expires_at', '>', now),
)

/**
 * Takes one of the tries of a challenge. Parallel guesses together get no more tries than there
 * are.
 */
export const takeTry = one((db, digest: string, now: number) =>
  db
    .updateTable('mfa_challenges')
    .set((eb) => ({ tries_left: eb('tries_left', '-', 1) }))
    .where('digest', '=', digest)
    .where('tries_left', '>', 0)
    .where('expires_at', '>', now)
    .returningAll(),
)

export const removeChallenge = change((db, digest: string) =>
  db.deleteFrom('mfa_challenges').where('digest', '=', digest),
)

export const removeChallengesOfUser = change((db, userId: number) =>
  db.deleteFrom('mfa_challenges').where('user_id', '=', userId),
)

export const forgetExpiredChallenges = (
  handle: Handle,
  now: number,
  most: number,
): Promise<number> =>
  deleteOldest(handle, { table: 'mfa_challenges', key: 'digest', time: 'expires_at' }, now, most)

export const keepYoungestChallenges = (
  handle: Handle,
  userId: number,
  count: number,
): Promise<void> => keepYoungest(handle, 'mfa_challenges', userId, count)

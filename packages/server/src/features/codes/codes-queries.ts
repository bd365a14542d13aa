import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Handle } from '../../storage/handle.ts'
import { change, one, whether } from '../../storage/query.ts'
import type { LoginCode } from '../../storage/schema.ts'

/** Replaces the code in the same place. */
export const putCode = change((db, code: LoginCode) =>
  db
    .insertInto('login_codes')
    .values(code)
    .onConflict((conflict) => conflict.column('place').doUpdateSet(code)),
)

/** Puts a code only if the place is free or expired. Returns whether it did. */
export const putCodeIfFree = whether((db, code: LoginCode, now: number) =>
  db
    .insertInto('login_codes')
    .values(code)
    .onConflict((conflict) =>
      conflict.column('place').doUpdateSet(code).where('login_codes.expires_at', '<=', now),
    )
    .returning('place'),
)

export const findLiveCode = one((db, place: number, sessionDigest: string, now: number) =>
  db
    .selectFrom('login_codes')
    .selectAll()
    .where('place', '=', place)
    .where('session_digest', '=', sessionDigest)
    .where('tries_left', '>', 0)
    .where('expires_at', '>', now),
)

/** Takes one of the tries. Parallel guesses together get no more tries than there are. */
export const takeTry = one((db, place: number, sessionDigest: string, now: number) =>
  db
    .updateTable('login_codes')
    .set((eb) => ({ tries_left: eb('tries_left', '-', 1) }))
    .where('place', '=', place)
    .where('session_digest', '=', sessionDigest)
    .where('tries_left', '>', 0)
    .where('expires_at', '>', now)
    .returningAll(),
)

/** Of parallel uses exactly one gets the row. */
export const consumeCode = one((db, place: number, sessionDigest: string) =>
  db
    .deleteFrom('login_codes')
    .where('place', '=', place)
    .where('session_digest', '=', sessionDigest)
    .returningAll(),
)

/** Gives the codes of one user to another. */
export const passCodesOn = change((db, userId: number, otherId: number) =>
  db.updateTable('login_codes').set({ user_id: otherId }).where('user_id', '=', userId),
)

export const forgetExpiredCodes = (handle: Handle, now: number, most: number): Promise<number> =>
  deleteOldest(handle, { table: 'login_codes', key: 'place', time: 'expires_at' }, now, most)

import { change, many, one, whether } from '../../storage/query.ts'
import type { LoginCode } from '../../storage/schema.ts'

/** Puts a code only if the place is free, or occupied only until then. Returns whether it did. */
export const putCodeIfFree = whether((db, code: LoginCode, until: number) =>
  db
    .insertInto('login_codes')
    .values(code)
    .onConflict((conflict) =>
      conflict.column('place').doUpdateSet(code).where('login_codes.expires_at', '<=', until),
    )
    .returning('place'),
)

export const findSession = one((db, place: number, sessionDigest: string, now: number) =>
  db
    .selectFrom('login_codes')
    .selectAll()
    .where('place', '=', place)
    .where('session_digest', '=', sessionDigest)
    .where('tries_left', '>', 0)
    .where('session_until', '>', now),
)

/** Takes one of the tries. Parallel guesses together get no more tries than there are. */
export const takeTry = one((db, place: number, sessionDigest: string, now: number) =>
  db
    .updateTable('login_codes')
    .set((eb) => ({ tries_left: eb('tries_left', '-', 1) }))
    .where('place', '=', place)
    .where('session_digest', '=', sessionDigest)
    .where('tries_left', '>', 0)
    .where('session_until', '>', now)
    .returningAll(),
)

/** The codes that were mailed to the account, newest first. */
export const listMailedCodes = many((db, account: string, now: number, most: number) =>
  db
    .selectFrom('login_codes')
    .selectAll()
    .where('account', '=', account)
    .where('code_digest', '<>', '')
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc')
    .limit(most),
)

/** Of parallel uses exactly one succeeds. */
export const spendCode = whether((db, { place, code_digest }: LoginCode, spent: string) =>
  db
    .updateTable('login_codes')
    .set({ code_digest: spent })
    .where('place', '=', place)
    .where('code_digest', '=', code_digest)
    .returning('place'),
)

export const endSession = change((db, { place, session_digest }: LoginCode) =>
  db
    .updateTable('login_codes')
    .set({ tries_left: 0 })
    .where('place', '=', place)
    .where('session_digest', '=', session_digest),
)

/** Gives the codes of one user to another. */
export const passCodesOn = change((db, userId: number, otherId: number) =>
  db.updateTable('login_codes').set({ user_id: otherId }).where('user_id', '=', userId),
)

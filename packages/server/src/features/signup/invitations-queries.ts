import type { Insertable } from 'kysely'
import { change, inserted, many, one } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

type NewInvitation = Omit<Insertable<Database['invitations']>, 'id'>

/** Replaces an older invitation of the same address by the same user. */
export const putInvitation = inserted((db, row: NewInvitation) =>
  db
    .insertInto('invitations')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'email_key']).doUpdateSet(row))
    .returningAll(),
)

export const findByDigest = one((db, digest: string, now: number) =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('digest', '=', digest)
    .where('expires_at', '>', now),
)

/**
 * Removes all invitations of the address that this one is for. Of parallel uses of one key, only
 * the first gets its row.
 */
export const takeInvitations = many((db, digest: string, now: number) =>
  db
    .deleteFrom('invitations')
    .where('email_key', 'in', (eb) =>
      eb
        .selectFrom('invitations')
        .select('email_key')
        .where('digest', '=', digest)
        .where('expires_at', '>', now),
    )
    .returningAll(),
)

export const findOfUser = one((db, userId: number, email: string) =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('user_id', '=', userId)
    .where('email_key', '=', email),
)

export const findInvitation = one((db, id: number) =>
  db.selectFrom('invitations').selectAll().where('id', '=', id),
)

export const removeInvitation = one((db, id: number) =>
  db.deleteFrom('invitations').where('id', '=', id).returningAll(),
)

export const removeInvitationsTo = change((db, email: string) =>
  db.deleteFrom('invitations').where('email_key', '=', email),
)

/** Newest first. */
export const listOfUser = many((db, userId: number, most: number) =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(most),
)

export type ListedInvitation = Awaited<ReturnType<typeof listInvitations>>[number]

/** Newest first, with the name of the user who invites. */
export const listInvitations = many((db, before: number, most: number) =>
  db
    .selectFrom('invitations')
    .leftJoin('users', 'users.id', 'invitations.user_id')
    .selectAll('invitations')
    .select('users.username as inviter')
    .where('invitations.id', '<', before)
    .orderBy('invitations.id', 'desc')
    .limit(most),
)

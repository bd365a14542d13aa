import type { Insertable, Kysely, Updateable } from 'kysely'
import { usesIn } from '../../core/last-uses.ts'
import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { ownerBy } from '../../storage/owner-query.ts'
import { change, inserted, many, whether } from '../../storage/query.ts'
import type { Database, LoginMethod } from '../../storage/schema.ts'
import { OF_USER } from '../../storage/user-columns.ts'

export type NewLogin = Omit<Insertable<Database['logins']>, 'id'>

/**
 * Far more than a person has. A client with a password could log in without end, and fill the
 * database.
 */
export const LOGINS_KEPT = 100

/** How many more one statement ends, so that it is short. Older versions kept all of them. */
const ENDED_AT_ONCE = 1000

/** Selected in addition to the columns of the user. */
const OF_LOGIN = [
  'logins.id as login_id',
  'logins.method as login_method',
  'logins.created_at as login_created_at',
  'logins.last_used_at as login_last_used_at',
  'logins.authenticated_at as login_authenticated_at',
  'logins.verified_passkey as login_verified_passkey',
] as const

const loginsWithUser = (db: Kysely<Database>) =>
  db
    .selectFrom('logins')
    .innerJoin('users', 'users.id', 'logins.user_id')
    .select(OF_USER)
    .select(OF_LOGIN)

export const findBySession = ownerBy((db, digest: string) =>
  loginsWithUser(db).where('logins.session_digest', '=', digest),
)

/** By the key that belongs to the login alone. */
export const findByKey = ownerBy((db, digest: string) =>
  loginsWithUser(db).where('logins.key_digest', '=', digest),
)

/** Users, and the given login if it is theirs and has not ended. */
const usersWithLogin = (db: Kysely<Database>, loginId: number) =>
  db
    .selectFrom('users')
    .leftJoin('logins', (join) =>
      join.onRef('logins.user_id', '=', 'users.id').on('logins.id', '=', loginId),
    )
    .select(OF_USER)
    .select([...OF_LOGIN, 'logins.expires_at as login_expires_at'])

/** A user with a UUID is found only by it: their number is an internal key. */
export const findUserWithLogin = ownerBy((db, id: number, loginId: number) =>
  usersWithLogin(db, loginId).where('users.id', '=', id).where('users.uuid', 'is', null),
)

export const findUuidUserWithLogin = ownerBy((db, uuid: string, loginId: number) =>
  usersWithLogin(db, loginId).where('users.uuid', '=', uuid),
)

export const listLoginsOfUser = many((db, userId: number, now: number, most: number) =>
  db
    .selectFrom('logins')
    .selectAll()
    .$narrowType<{ method: LoginMethod | 'unknown' }>()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    // No device of the user. They learn of it by mail.
    .where('method', '<>', 'impersonation')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most),
)

export const noteUses = usesIn('logins', 'id')

export const addLogin = inserted((db, login: NewLogin) =>
  db.insertInto('logins').values(login).returning('id'),
)

/**
 * Ends the oldest logins of a user who has too many. By id, since the times of a login that began
 * elsewhere are not those of its row. Exact if the row of the user is locked.
 */
export const endSurplusLogins = change((db, userId: number, now: number) =>
  db
    .deleteFrom('logins')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('logins')
        .select('id')
        .where('user_id', '=', userId)
        .where('expires_at', '>', now)
        .orderBy('id', 'desc')
        .limit(ENDED_AT_ONCE)
        .offset(LOGINS_KEPT),
    ),
)

export const addLogins = (handle: Handle, logins: readonly NewLogin[]) =>
  kyselyOf(handle)
    .insertInto('logins')
    .values(logins)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const endLoginsByDigest = (handle: Handle, digests: readonly string[]) =>
  kyselyOf(handle).deleteFrom('logins').where('session_digest', 'in', digests).execute()

type Times = Pick<NewLogin, 'created_at' | 'expires_at'>

export const extendLogin = change((db, digest: string, times: Times) =>
  db
    .updateTable('logins')
    .set(times)
    .where('session_digest', '=', digest)
    .where('expires_at', '<', times.expires_at),
)

export const hasLogin = whether((db, id: number) =>
  db.selectFrom('logins').select('id').where('id', '=', id),
)

/** Returns false if the login has ended. */
export const changeLogin = whether((db, id: number, changed: Updateable<Database['logins']>) =>
  db.updateTable('logins').set(changed).where('id', '=', id).returning('id'),
)

/** Returns false if the login has ended. */
export const keepLoginUntil = whether((db, id: number, time: number) =>
  db
    .updateTable('logins')
    .set((eb) => ({
      expires_at: eb
        .case()
        .when('expires_at', '<', time)
        .then(time)
        .else(eb.ref('expires_at'))
        .end(),
    }))
    .where('id', '=', id)
    .returning('id'),
)

/** Returns whether the user had such a login. */
export const endLoginOfUser = whether((db, userId: number, id: number, now: number) =>
  db
    .deleteFrom('logins')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .returning('id'),
)

/** Returns whether there was such a login. */
export const endLogin = whether((db, id: number) =>
  db.deleteFrom('logins').where('id', '=', id).returning('id'),
)

export const endLoginStartedBy = change((db, id: number, time: number) =>
  db.deleteFrom('logins').where('id', '=', id).where('created_at', '<=', time),
)

export const endLoginBySession = change((db, digest: string) =>
  db.deleteFrom('logins').where('session_digest', '=', digest),
)

export const endOtherLoginsOfUser = change((db, userId: number, keptId: number) =>
  db.deleteFrom('logins').where('user_id', '=', userId).where('id', '!=', keptId),
)

import type { Insertable, Selectable } from 'kysely'
import { change, inserted, many, one, whether } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'
import { OF_USER } from '../../storage/user-columns.ts'

type Sessions = Database['admin_sessions']
export type AdminKeyRow = Selectable<Database['admin_keys']>

/** The user of a session, with the columns of the session under other names. */
export const findAdminSession = one((db, digest: string) =>
  db
    .selectFrom('admin_sessions')
    .innerJoin('users', 'users.id', 'admin_sessions.user_id')
    .select(OF_USER)
    .select([
      'admin_sessions.epoch as session_epoch',
      'admin_sessions.last_used_at as session_last_used_at',
      'admin_sessions.proved_at as session_proved_at',
      'admin_sessions.expires_at as session_expires_at',
    ])
    .where('admin_sessions.digest', '=', digest),
)

export const addAdminSession = change((db, row: Sessions) =>
  db.insertInto('admin_sessions').values(row),
)

export const noteAdminSessionUse = change((db, digest: string, at: number) =>
  db
    .updateTable('admin_sessions')
    .set({ last_used_at: at })
    .where('digest', '=', digest)
    .where('last_used_at', '<', at),
)

export const hasAdminSession = whether((db, digest: string) =>
  db.selectFrom('admin_sessions').select('digest').where('digest', '=', digest),
)

/** Returns false if the session has ended. */
export const proveAdminSession = whether((db, digest: string, at: number) =>
  db
    .updateTable('admin_sessions')
    .set({ proved_at: at })
    .where('digest', '=', digest)
    .where('proved_at', 'is not', null)
    .returning('digest'),
)

type Completed = Pick<Sessions, 'digest' | 'proved_at' | 'expires_at'>

/** Replaces a session that could only set up a second factor. Returns false if it has ended. */
export const completeAdminSession = whether((db, digest: string, next: Completed) =>
  db
    .updateTable('admin_sessions')
    .set(next)
    .where('digest', '=', digest)
    .where('proved_at', 'is', null)
    .returning('digest'),
)

export const endAdminSession = change((db, digest: string) =>
  db.deleteFrom('admin_sessions').where('digest', '=', digest),
)

export const endAdminSessionsOfUser = change((db, userId: number, kept: string) =>
  db.deleteFrom('admin_sessions').where('user_id', '=', userId).where('digest', '!=', kept),
)

/** Whether a user has a passkey that counts as two factors, and no app. */
export const hasPasskeyAlone = whether((db, userId: number) =>
  db
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', userId)
    .where('user_verified', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('totp_authenticators')
            .select('totp_authenticators.user_id')
            .where('totp_authenticators.user_id', '=', userId),
        ),
      ),
    )
    .limit(1),
)

export const findAdminKey = one((db, digest: string) =>
  db.selectFrom('admin_keys').selectAll().where('digest', '=', digest),
)

export const hasAdminKey = whether((db, id: number) =>
  db.selectFrom('admin_keys').select('id').where('id', '=', id),
)

export const addAdminKey = inserted((db, row: Omit<Insertable<Database['admin_keys']>, 'id'>) =>
  db.insertInto('admin_keys').values(row).returningAll(),
)

export const listAdminKeys = many((db, most: number) =>
  db.selectFrom('admin_keys').selectAll().orderBy('id').limit(most),
)

export const noteAdminKeyUse = change((db, id: number, at: number) =>
  db.updateTable('admin_keys').set({ last_used_at: at }).where('id', '=', id),
)

export const removeAdminKey = one((db, id: number) =>
  db.deleteFrom('admin_keys').where('id', '=', id).returningAll(),
)

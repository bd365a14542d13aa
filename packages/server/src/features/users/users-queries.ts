import type { Insertable, Updateable } from 'kysely'
import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { change, many, one, whether } from '../../storage/query.ts'
import type { Database, Flag, User, UserRow } from '../../storage/schema.ts'

export type NewUser = Insertable<Database['users']>

export const findUserById = one((db, id: number) =>
  db.selectFrom('users').selectAll().where('id', '=', id),
)

/** A user with a UUID is found only by it: their number is an internal key. */
export const findUserByNumber = one((db, pk: number) =>
  db.selectFrom('users').selectAll().where('id', '=', pk).where('uuid', 'is', null),
)

export const findUserByUuid = one((db, uuid: string) =>
  db.selectFrom('users').selectAll().where('uuid', '=', uuid),
)

export const findUserByUsername = one((db, key: string) =>
  db.selectFrom('users').selectAll().where('username_key', '=', key),
)

/**
 * The user who has the address or, if nobody has, the one who brought it from Django as a further
 * address and has verified it. One query for both: its time does not tell which of them it was.
 */
export const findUserByEmail = one((db, key: string) =>
  db
    .selectFrom('users')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('email_key', '=', key),
        eb(
          'id',
          '=',
          eb
            .selectFrom('django_addresses')
            .select('user_id')
            .where('django_addresses.email_key', '=', key)
            .where('verified', '=', 1)
            .orderBy('django_addresses.id')
            .limit(1),
        ),
      ]),
    )
    .orderBy((eb) => eb.case().when('email_key', '=', key).then(0).else(1).end())
    .limit(1),
)

export const findUserBySkeleton = one((db, skeleton: string) =>
  db.selectFrom('users').selectAll().where('username_skeleton', '=', skeleton),
)

export const countUsers = one((db) =>
  db.selectFrom('users').select((eb) => eb.fn.countAll<number>().as('count')),
)

export const listUsers = many((db, after: number, count: number) =>
  db.selectFrom('users').selectAll().where('id', '>', after).orderBy('id').limit(count),
)

/** Adds nobody if the name or the address is taken. The transaction stays usable. */
export const addUserIfFree = one((db, user: NewUser) =>
  db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll(),
)

export const changeUser = one((db, id: number, changes: Updateable<Database['users']>) =>
  db.updateTable('users').set(changes).where('id', '=', id).returningAll(),
)

/** Reads the current row. Nobody else can change it until the transaction ends. */
export const lockUser = one((db, id: number) =>
  db
    .updateTable('users')
    .set((eb) => ({ epoch: eb.ref('epoch') }))
    .where('id', '=', id)
    .returningAll(),
)

type Proved = Pick<User, 'id' | 'epoch'>

/** Changes nothing if the user is inactive, or the epoch has grown since they proved who they are. */
export const recordLogin = one((db, { id, epoch }: Proved, at: number) =>
  db
    .updateTable('users')
    .set({ last_login_at: at })
    .where('id', '=', id)
    .where('is_active', '=', 1)
    .where('epoch', '=', epoch)
    .returningAll(),
)

/** A newer hash of the same password, unless the password was changed meanwhile. */
export const rehashPassword = change((db, id: number, from: string, to: string) =>
  db.updateTable('users').set({ password: to }).where('id', '=', id).where('password', '=', from),
)

/** Changes nothing if the user is inactive, or the epoch has grown since the request began. */
export const changePassword = one((db, { id, epoch }: Proved, password: string) =>
  db
    .updateTable('users')
    .set((eb) => ({ password, epoch: eb('epoch', '+', 1) }))
    .where('id', '=', id)
    .where('is_active', '=', 1)
    .where('epoch', '=', epoch)
    .returningAll(),
)

export const replacePassword = change((db, id: number, password: string) =>
  db
    .updateTable('users')
    .set((eb) => ({ password, epoch: eb('epoch', '+', 1) }))
    .where('id', '=', id),
)

/** Only if the address is still theirs. */
export const markVerified = one((db, id: number, emailKey: string) =>
  db
    .updateTable('users')
    .set({ email_verified: 1 })
    .where('id', '=', id)
    .where('email_key', '=', emailKey)
    .returningAll(),
)

/** Only while the address is theirs and nobody has proved it. */
export const removeUnprovedEmail = one((db, id: number, emailKey: string) =>
  db
    .updateTable('users')
    .set((eb) => ({ email: '', email_key: null, email_epoch: eb('email_epoch', '+', 1) }))
    .where('id', '=', id)
    .where('email_key', '=', emailKey)
    .where('email_verified', '=', 0)
    .returningAll(),
)

type AddressColumns = Pick<UserRow, 'email' | 'email_key' | 'email_verified'>

/** Fails if somebody else has the address. The epoch stays if only the flag changes. */
export const changeEmail = one((db, id: number, address: AddressColumns) =>
  db
    .updateTable('users')
    .set((eb) => {
      const isSame = eb.case().when('email', '=', address.email)
      const step = isSame.then(eb.lit(0)).else(eb.lit(1)).end()
      return { ...address, email_epoch: eb('email_epoch', '+', step) }
    })
    .where('id', '=', id)
    .returningAll(),
)

export const setActive = change((db, id: number, active: Flag) =>
  db
    .updateTable('users')
    .set((eb) => ({ is_active: active, epoch: eb('epoch', '+', 1) }))
    .where('id', '=', id),
)

export const listEpochs = (handle: Handle, ids: readonly number[]) =>
  kyselyOf(handle).selectFrom('users').select(['id', 'epoch']).where('id', 'in', ids).execute()

/** The later of two revocations counts: the clock of another instance may be ahead. */
export const noteRevocation = change((db, id: number, at: number) =>
  db
    .updateTable('users')
    .set((eb) => {
      const isLater = eb.case().when('revoked_at', '>', at)
      return { revoked_at: isLater.then(eb.ref('revoked_at')).else(at).end() }
    })
    .where('id', '=', id),
)

/** When the user was first asked to set up a second factor. Only if it is not stored yet. */
export const noteAsked = change((db, id: number, at: number) =>
  db
    .updateTable('users')
    .set({ mfa_asked_at: at })
    .where('id', '=', id)
    .where('mfa_asked_at', 'is', null),
)

export const removeUser = change((db, id: number) => db.deleteFrom('users').where('id', '=', id))

/** Only the transaction that holds this row may remove a superuser. */
export const lockSuperusers = change((db) =>
  db
    .insertInto('latchkey_locks')
    .values({ name: 'superusers' })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ name: 'superusers' })),
)

export const hasOtherSuperuser = whether((db, id: number) =>
  db
    .selectFrom('users')
    .select('id')
    .where('is_superuser', '=', 1)
    .where('is_active', '=', 1)
    .where('id', '<>', id)
    .limit(1),
)

export const listSuperusers = many((db, most: number) =>
  db
    .selectFrom('users')
    .selectAll()
    .where('is_superuser', '=', 1)
    .where('is_active', '=', 1)
    .orderBy('id')
    .limit(most),
)

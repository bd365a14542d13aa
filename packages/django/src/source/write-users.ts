import type { Kysely } from 'kysely'
import type { Pk } from '../../../server/src/kernel/ids.ts'
import { createColumnValues, type TypedValue } from './column-values.ts'
import type { Tables } from './connections.ts'
import type { Column, DjangoSource, Row } from './source.ts'
import { keysThere, type UserModel } from './user-model.ts'

/** A user in the form of a Django project. */
export type UserForDjango = {
  readonly pk: Pk
  readonly password: string
  readonly username: string
  readonly email: string
  readonly isVerified: boolean
  readonly firstName: string
  readonly lastName: string
  readonly isActive: boolean
  readonly isStaff: boolean
  readonly isSuperuser: boolean
  readonly joinedAt: number
  readonly lastLogin: number | null
  /** Values for the columns that only this user model has. */
  readonly more: Readonly<Record<string, TypedValue>>
}

type Addressed = Pick<UserForDjango, 'pk' | 'email' | 'isVerified'>

export type AddressChanges = {
  /** The new main address, and the one that it replaces. Null if it has not changed. */
  readonly main: { readonly user: Addressed; readonly former: string } | null
  /** The ids of further addresses that the user has verified. */
  readonly verified: readonly number[]
}

const ADDRESSES = 'account_emailaddress'

/** Writes users into the tables of a Django project. */
export function createUserWriter(source: DjangoSource, model: UserModel) {
  const { flag, time, valueFor, emptyValue } = createColumnValues(source)
  const hasAddresses = model.has.has(ADDRESSES)
  const keyOf = (pk: Pk) => keysThere(model, [pk])[0] ?? pk
  // The column may be unique. Then only one user could have an empty text.
  const isNullable = model.columns.some((one) => one.name === model.emailColumn && one.isNullable)
  const addressOf = (email: string) => (email === '' && isNullable ? null : email)

  return {
    add: (user: UserForDjango): Promise<void> =>
      source.change(async (db) => {
        await db.insertInto(model.table).values(rowOf(user)).execute()
        await putAddress(db, user)
      }),

    setPassword: (pk: Pk, password: string): Promise<void> =>
      source.change(async (db) => {
        await changeUser(db, pk, { password })
      }),

    changeAddresses: ({ main, verified }: AddressChanges): Promise<void> =>
      source.change(async (db) => {
        if (main) await setAddress(db, main.user, main.former)
        if (verified.length > 0) await verifyAddresses(db, verified)
      }),
  }

  /** Removes the former address, because it must not log in or get mails any more. */
  async function setAddress(db: Kysely<Tables>, user: Addressed, former: string): Promise<void> {
    await changeUser(db, user.pk, { [model.emailColumn]: addressOf(user.email) })
    if (hasAddresses && former !== user.email) await dropAddress(db, user.pk, former)
    await putAddress(db, user)
  }

  async function verifyAddresses(db: Kysely<Tables>, ids: readonly number[]): Promise<void> {
    await db
      .updateTable(ADDRESSES)
      .set({ verified: flag(true) })
      .where('id', 'in', ids)
      .execute()
  }

  async function changeUser(db: Kysely<Tables>, pk: Pk, changes: Row): Promise<void> {
    await db.updateTable(model.table).set(changes).where(model.key, '=', keyOf(pk)).execute()
  }

  async function dropAddress(db: Kysely<Tables>, pk: Pk, email: string): Promise<void> {
    await db
      .deleteFrom(ADDRESSES)
      .where('user_id', '=', keyOf(pk))
      .where('email', 'in', [email, email.toLowerCase()])
      .execute()
  }

  /** Makes it the primary address. The user keeps the others. */
  async function putAddress(
    db: Kysely<Tables>,
    { pk, email, isVerified }: Addressed,
  ): Promise<void> {
    if (!hasAddresses || email === '') return
    const user_id = keyOf(pk)
    const ofUser = db.updateTable(ADDRESSES).where('user_id', '=', user_id)
    await ofUser.set({ primary: flag(false) }).execute()
    const found = await ofUser
      .set({ primary: flag(true), verified: flag(isVerified) })
      .where('email', '=', email)
      .executeTakeFirst()
    if (found.numUpdatedRows > 0n) return
    const row = { user_id, email, primary: flag(true), verified: flag(isVerified) }
    await db.insertInto(ADDRESSES).values(row).execute()
  }

  function rowOf(user: UserForDjango): Row {
    const typeOf = (name: string) => model.columns.find((one) => one.name === name)?.type ?? ''
    const { joinedAt, lastLogin } = user
    const known: Row = {
      [model.key]: keyOf(user.pk),
      password: user.password,
      [model.usernameColumn]: user.username,
      [model.emailColumn]: addressOf(user.email),
      first_name: user.firstName,
      last_name: user.lastName,
      is_active: flag(user.isActive),
      is_staff: flag(user.isStaff),
      is_superuser: flag(user.isSuperuser),
      date_joined: time(joinedAt, typeOf('date_joined')),
      last_login: lastLogin === null ? null : time(lastLogin, typeOf('last_login')),
    }
    return Object.fromEntries(
      model.columns.flatMap((column) => {
        const value = valueIn(known, user, column)
        if (value !== undefined && value !== null) return [[column.name, value] as const]
        if (!column.isNeeded) return []
        return [[column.name, emptyValue(column, joinedAt, typeOfField(user, column))] as const]
      }),
    )
  }

  function valueIn(known: Row, { more }: UserForDjango, column: Column): unknown {
    if (Object.hasOwn(known, column.name)) return known[column.name]
    const { value = null } = Object.hasOwn(more, column.name) ? (more[column.name] ?? {}) : {}
    return value === null ? null : valueFor(column, value)
  }
}

const typeOfField = ({ more }: UserForDjango, { name }: Column) =>
  Object.hasOwn(more, name) ? more[name]?.type : undefined

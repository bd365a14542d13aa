import type {
  DjangoAddress,
  DjangoAuthenticator,
  DjangoOrigin,
  DjangoSocialAccount,
  DjangoUser,
} from './django-user.ts'
import { DAMAGED } from './read-checked.ts'
import type { Column, DjangoSource, Row } from './source.ts'
import { byUser, keyTextOf, type Related, type UserModel } from './user-model.ts'
import { flagIn, jsonIn, localTimeIn, pkIn, textIn, timeIn } from './values.ts'

/** Users in the order of their keys, and the keys that cannot be read. */
export type UserPage = {
  readonly users: readonly DjangoUser[]
  readonly unreadable: readonly string[]
  /** For the next page; null after the last one. */
  readonly last: string | number | null
}

type Wanted = { origin: DjangoOrigin; after: string | number | null; most: number }

export async function readUsers(
  source: DjangoSource,
  model: UserModel,
  { origin, after, most }: Wanted,
): Promise<UserPage> {
  const { table, key } = model
  const rows = await source.page(table, { key, after, most })
  const keys = rows.map((row) => row[key] as string | number)
  const read = await usersIn(rows, source, model, origin)
  return {
    users: read.filter((user) => user !== null),
    unreadable: keys.filter((_, i) => read[i] === null).map(String),
    last: keys.at(-1) ?? null,
  }
}

/** The users with these keys, if they exist. */
export async function readUsersWith(
  source: DjangoSource,
  model: UserModel,
  origin: DjangoOrigin,
  keys: readonly (string | number)[],
): Promise<DjangoUser[]> {
  const rows = await source.rowsWith(model.table, model.key, keys)
  return (await usersIn(rows, source, model, origin)).filter((user) => user !== null)
}

async function usersIn(
  rows: readonly Row[],
  source: DjangoSource,
  model: UserModel,
  origin: DjangoOrigin,
): Promise<(DjangoUser | null)[]> {
  const keys = rows.map((row) => row[model.key] as string | number)
  const groups = await groupNames(source, model, keys)
  const related = new Map<Related, ReadonlyMap<string, readonly Row[]>>()
  for (const table of Object.values(RELATED_ROWS)) {
    if (!model.has.has(table)) continue
    const found = await source.rowsWith(table, 'user_id', keys)
    related.set(table, byUser(found.sort(byId), 'user_id'))
  }
  return rows.map((row) => {
    const key = keyTextOf(row[model.key])
    const rowsOf: RowsOf = (name) => related.get(RELATED_ROWS[name])?.get(key) ?? []
    return userIn(row, source, model, { groups: groups.get(key) ?? [], rowsOf, origin })
  })
}

/** PostgreSQL returns a row after the others once it was updated, which would look like a change. */
const byId = (one: Row, other: Row): number => Number(one.id ?? 0) - Number(other.id ?? 0)

/** The tables with rows of users, by what a user has in them. */
const RELATED_ROWS = {
  addresses: 'account_emailaddress',
  tokens: 'authtoken_token',
  authenticators: 'mfa_authenticator',
  ownAuthenticators: 'dj_rest_auth_mfa_authenticator',
  credentials: 'passkeys_webauthncredential',
  socialAccounts: 'socialaccount_socialaccount',
} as const satisfies Record<string, Related>

type Name = keyof typeof RELATED_ROWS

type RowsOf = (name: Name) => readonly Row[]

/** Null if the primary key is neither a number that fits nor a UUID. */
function userIn(
  row: Row,
  source: DjangoSource,
  model: UserModel,
  { groups, rowsOf, origin }: { groups: readonly string[]; rowsOf: RowsOf; origin: DjangoOrigin },
): DjangoUser | null {
  const { usernameColumn, emailColumn } = model
  const pk = pkIn(row[model.key])
  if (pk === null) return null
  const [token] = rowsOf('tokens')
  return {
    pk,
    key: keyTextOf(row[model.key]),
    password: textIn(row.password),
    username: usernameColumn in row ? textIn(row[usernameColumn]) : null,
    email: textIn(row[emailColumn]),
    firstName: textIn(row.first_name),
    lastName: textIn(row.last_name),
    isActive: 'is_active' in row ? flagIn(row.is_active) : true,
    isStaff: flagIn(row.is_staff),
    isSuperuser: flagIn(row.is_superuser),
    joinedAt: timeIn(row.date_joined),
    lastLogin: timeIn(row.last_login),
    groups,
    more: ownValues(row, source, model),
    addresses: rowsOf('addresses').map(addressIn),
    token: token ? { key: textIn(token.key), createdAt: timeIn(token.created) } : null,
    authenticators: rowsOf('authenticators').map(authenticatorIn),
    ownAuthenticators: rowsOf('ownAuthenticators').map(authenticatorIn),
    credentials: rowsOf('credentials'),
    socialAccounts: rowsOf('socialAccounts').map(socialAccountIn),
    origin,
    damaged: damagedIn([row, ...(Object.keys(RELATED_ROWS) as Name[]).flatMap(rowsOf)]),
  }
}

/** The columns that only this user model has. Times without a zone are in the zone of the project. */
function ownValues(row: Row, { timeZone }: DjangoSource, { columns, ownColumns }: UserModel): Row {
  const values = Object.fromEntries(ownColumns.map((name) => [name, row[name]]))
  if (timeZone === null) return values
  const isTime = ({ name, type }: Column) => name in values && /datetime|timestamp/.test(type)
  const times = columns
    .filter(isTime)
    .map(({ name }) => [name, localTimeIn(row[name], timeZone) ?? row[name]])
  return { ...values, ...Object.fromEntries(times) }
}

/** The columns of these rows whose text is damaged. */
function damagedIn(rows: readonly Row[]): string[] {
  const damaged: string[] = []
  for (const row of rows) if (row[DAMAGED]) damaged.push(...row[DAMAGED])
  return damaged
}

const addressIn = (row: Row): DjangoAddress => ({
  id: Number(row.id),
  email: textIn(row.email),
  isVerified: flagIn(row.verified),
  isPrimary: flagIn(row.primary),
})

const authenticatorIn = (row: Row): DjangoAuthenticator => ({
  id: Number(row.id),
  type: textIn(row.type),
  data: jsonIn(row.data),
  createdAt: timeIn(row.created_at),
  lastUsedAt: timeIn(row.last_used_at),
})

const socialAccountIn = (row: Row): DjangoSocialAccount => ({
  id: Number(row.id),
  provider: textIn(row.provider),
  uid: textIn(row.uid),
  joinedAt: timeIn(row.date_joined),
  lastLogin: timeIn(row.last_login),
})

async function groupNames(
  source: DjangoSource,
  { groups }: UserModel,
  keys: readonly (string | number)[],
): Promise<Map<string, string[]>> {
  if (!groups) return new Map()
  const memberships = await source.rowsWith(groups.table, groups.userColumn, keys)
  const ids = [...new Set(memberships.map((row) => textIn(row.group_id)))]
  const named = await source.rowsWith('auth_group', 'id', ids)
  const names = new Map(named.map((row) => [textIn(row.id), textIn(row.name)]))
  const ofUser = [...byUser(memberships, groups.userColumn)]
  const sorted = (rows: readonly Row[]) =>
    rows.flatMap((row) => names.get(textIn(row.group_id)) ?? []).sort()
  return new Map(ofUser.map(([key, rows]) => [key, sorted(rows)]))
}

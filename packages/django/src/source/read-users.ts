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
  const related = async (name: Related): Promise<Map<string, Row[]>> =>
    model.has.has(name)
      ? byUser((await source.rowsWith(name, 'user_id', keys)).sort(byId), 'user_id')
      : new Map()

  const belongings = {
    groups: await groupNames(source, model, keys),
    addresses: await related('account_emailaddress'),
    tokens: await related('authtoken_token'),
    authenticators: await related('mfa_authenticator'),
    ownAuthenticators: await related('dj_rest_auth_mfa_authenticator'),
    credentials: await related('passkeys_webauthncredential'),
    socialAccounts: await related('socialaccount_socialaccount'),
  }
  return rows.map((row) => userIn(row, source, model, belongings, origin))
}

/** PostgreSQL returns a row after the others once it was updated, which would look like a change. */
const byId = (one: Row, other: Row): number => Number(one.id ?? 0) - Number(other.id ?? 0)

const RELATED_ROWS = [
  'addresses',
  'tokens',
  'authenticators',
  'ownAuthenticators',
  'credentials',
  'socialAccounts',
] as const

type Belongings = Readonly<
  Record<(typeof RELATED_ROWS)[number], ReadonlyMap<string, readonly Row[]>> & {
    groups: ReadonlyMap<string, readonly string[]>
  }
>

/** Null if the primary key is neither a number that fits nor a UUID. */
function userIn(
  row: Row,
  source: DjangoSource,
  model: UserModel,
  belongings: Belongings,
  origin: DjangoOrigin,
): DjangoUser | null {
  const { usernameColumn, emailColumn } = model
  const pk = pkIn(row[model.key])
  if (pk === null) return null
  const key = keyTextOf(row[model.key])
  const [token] = belongings.tokens.get(key) ?? []
  return {
    pk,
    key,
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
    groups: belongings.groups.get(key) ?? [],
    more: ownValues(row, source, model),
    addresses: (belongings.addresses.get(key) ?? []).map(addressIn),
    token: token ? { key: textIn(token.key), createdAt: timeIn(token.created) } : null,
    authenticators: (belongings.authenticators.get(key) ?? []).map(authenticatorIn),
    ownAuthenticators: (belongings.ownAuthenticators.get(key) ?? []).map(authenticatorIn),
    credentials: belongings.credentials.get(key) ?? [],
    socialAccounts: (belongings.socialAccounts.get(key) ?? []).map(socialAccountIn),
    origin,
    damaged: damagedIn([row, ...RELATED_ROWS.flatMap((name) => belongings[name].get(key) ?? [])]),
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

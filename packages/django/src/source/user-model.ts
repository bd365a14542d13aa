import { type Pk, readId, readUuid } from '../../../server/src/kernel/ids.ts'
import type { Column, DjangoSource, Row } from './source.ts'

/** Which tables a project has, and what its user table looks like. */
export type UserModel = {
  readonly table: string
  readonly key: string
  /** The kind of its keys. Null if there is no user. */
  readonly kind: 'integer' | 'uuid' | null
  /** Whether its UUIDs have dashes. On SQLite Django omits them. */
  readonly hasDashes: boolean
  readonly usernameColumn: string
  readonly emailColumn: string
  /** Columns that Django's own user model does not have. */
  readonly ownColumns: readonly string[]
  readonly columns: readonly Column[]
  /** The table of group memberships, and its column for the user. */
  readonly groups: { readonly table: string; readonly userColumn: string } | null
  readonly has: ReadonlySet<Related>
}

/** Tables whose rows belong to a user by `user_id`. */
const RELATED = [
  'account_emailaddress',
  'authtoken_token',
  'mfa_authenticator',
  'dj_rest_auth_mfa_authenticator',
  'passkeys_webauthncredential',
  'socialaccount_socialaccount',
  'token_blacklist_outstandingtoken',
] as const

export type Related = (typeof RELATED)[number]

const BUILT_IN: ReadonlySet<string> = new Set([
  'id',
  'password',
  'last_login',
  'is_superuser',
  'username',
  'first_name',
  'last_name',
  'email',
  'is_staff',
  'is_active',
  'date_joined',
])

/** The columns for username and address that the settings of allauth name. */
export type NamedColumns = Partial<Pick<UserModel, 'usernameColumn' | 'emailColumn'>>

/** Throws with a sentence for the operator if the table is not a user table. */
export async function readUserModel(
  source: DjangoSource,
  table: string,
  { usernameColumn = 'username', emailColumn = 'email' }: NamedColumns = {},
): Promise<UserModel> {
  const columns = await source.columnsOf(table)
  const names = columns.map(({ name }) => name)
  if (names.length === 0) {
    throw new Error(
      `There is no table ${table}. --user-table names the table of users, --user-app the app and model, such as people.Person.`,
    )
  }
  const [key, second] = columns.filter(({ isKey }) => isKey)
  if (!key || second || !names.includes('password')) {
    throw new Error(
      `${table} is not a table of users: it must have one primary key and a password.`,
    )
  }
  const has = new Set<Related>()
  for (const related of RELATED) {
    if ((await source.columnsOf(related)).some(({ name }) => name === 'user_id')) has.add(related)
  }
  const isOwn = (name: string) =>
    ![key.name, usernameColumn, emailColumn].includes(name) && !BUILT_IN.has(name)
  return {
    table,
    key: key.name,
    ...(await formOfKeys(source, table, key.name)),
    usernameColumn,
    emailColumn,
    ownColumns: names.filter(isOwn),
    columns,
    groups: await groupsOf(source, table),
    has,
  }
}

async function formOfKeys(
  source: DjangoSource,
  table: string,
  key: string,
): Promise<Pick<UserModel, 'kind' | 'hasDashes'>> {
  const [first] = await source.page(table, { key, after: null, most: 1 })
  if (!first) return { kind: null, hasDashes: !source.isSqlite }
  const text = String(first[key])
  // guardian gives its anonymous user the key -1.
  const isNumber = /^-?\d+$/.test(text) && text.length < 32
  return { kind: isNumber ? 'integer' : 'uuid', hasDashes: text.includes('-') }
}

/** Keys in the form of this table. Keys of the other kind belong to nobody and are left out. */
export const keysThere = ({ kind, hasDashes }: UserModel, pks: readonly Pk[]): Pk[] =>
  pks.flatMap((pk) => {
    if (kind !== null && (typeof pk === 'number') !== (kind === 'integer')) return []
    return [typeof pk === 'number' || hasDashes ? pk : pk.replaceAll('-', '')]
  })

/** Null if the project has no groups, or its own model for them. */
async function groupsOf(source: DjangoSource, userTable: string): Promise<UserModel['groups']> {
  const table = `${userTable}_groups`
  const columns = (await source.columnsOf(table)).map(({ name }) => name)
  const named = (await source.columnsOf('auth_group')).some(({ name }) => name === 'name')
  const userColumn = columns.find((name) => name !== 'id' && name !== 'group_id')
  if (!named || !columns.includes('group_id') || userColumn === undefined) return null
  return { table, userColumn }
}

/** The table of `people.Person` is `people_person`. */
export const tableOfModel = (model: string): string => model.replace('.', '_').toLowerCase()

/** A pk as text: the same for every spelling, and in the order of the pks. */
export const keyTextOf = (value: unknown): string => {
  const text = String(value)
  return /^\d+$/.test(text)
    ? text.padStart(KEY_LENGTH, '0')
    : text.replaceAll('-', '').toLowerCase()
}

const KEY_LENGTH = 20

/** Reverses `keyTextOf`. */
export const pkOfKeyText = (text: string): Pk | null =>
  text.length === KEY_LENGTH ? readId(text.replace(/^0+/, '')) : readUuid(text)

/** Groups rows by the key of the user that they belong to. */
export function byUser(rows: readonly Row[], column: string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = keyTextOf(row[column])
    const known = groups.get(key)
    if (known) known.push(row)
    else groups.set(key, [row])
  }
  return groups
}

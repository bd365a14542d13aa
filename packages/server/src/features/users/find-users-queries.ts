import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Handle, kyselyOf } from '../../storage/handle.ts'
import type { UserRow } from '../../storage/schema.ts'
import { contains, searchIn, TRIGRAM, usersAmong } from '../../storage/user-search.ts'

/** What the users in a list have in common. */
export type Filter = {
  /** The keys of the text that is looked for. One of them is enough. */
  readonly texts: readonly string[]
  readonly state: State | undefined
  /** When they joined, at the earliest. */
  readonly since: number | undefined
}

export type Order = { readonly by: 'joined' | 'last_login' | 'username'; readonly down: boolean }

/** A place between two users in a list. */
export type Position = { readonly key: number | string; readonly id: number }

const KEYS: Readonly<Record<Order['by'], RawBuilder<number | string>>> = {
  joined: sql.raw('users.joined_at'),
  last_login: sql.raw('coalesce(users.last_login_at, 0)'),
  username: sql.raw('users.username_key'),
}

const HAS_MFA = 'exists (select 1 from totp_authenticators t where t.user_id = users.id)'

// Values are part of the text: otherwise the databases could not use the indexes of single states.
export const STATES = {
  active: sql.raw('users.is_active = 1'),
  inactive: sql.raw('users.is_active = 0'),
  unverified: sql.raw('users.email_verified = 0'),
  staff: sql.raw('users.is_staff = 1'),
  superuser: sql.raw('users.is_superuser = 1'),
  mfa: sql.raw(HAS_MFA),
  'no-mfa': sql.raw(`not ${HAS_MFA}`),
} satisfies Record<string, RawBuilder<SqlBool>>

export type State = keyof typeof STATES

/** States that have an index of their own. */
const RARE = {
  inactive: sql.raw('select id from users where is_active = 0'),
  unverified: sql.raw('select id from users where email_verified = 0'),
  staff: sql.raw('select id from users where is_staff = 1'),
  superuser: sql.raw('select id from users where is_superuser = 1'),
  mfa: sql.raw('select user_id as id from totp_authenticators'),
} as const

/**
 * The ids of the users that one part of the filter finds by an index, if these are few. Null if there
 * are many, or no part has an index.
 */
export async function findFew(
  handle: Handle,
  { texts, state, since }: Filter,
  most: number,
): Promise<number[] | null> {
  const sources = [
    ...partsOf(texts.map((text) => text.replace(LAST_SIGMA, ''))).map((keys) =>
      searchInAny(handle, keys),
    ),
    ...(state && Object.hasOwn(RARE, state) ? [RARE[state as keyof typeof RARE]] : []),
    ...(since === undefined ? [] : [sql`select id from users where joined_at >= ${since}`]),
  ]
  for (const source of sources) {
    const { rows } = await sql<{ id: number }>`${source} limit ${most + 1}`.execute(
      kyselyOf(handle),
    )
    if (rows.length <= most) return [...new Set(rows.map(({ id }) => id))]
  }
  return null
}

/** Folding turns a σ at the end of a word into ς. At the end of the searched text, the word in the name may go on. */
const LAST_SIGMA = /[σς]\P{L}*$/u

const END = 7

/**
 * The parts of the text that the index is asked for, one after the other. It reads the list of every
 * trigram in a part, and with millions of users that takes long for a beginning or a domain that most
 * of them share. Few share the end of a name. Each part has a key or two, as the text does.
 */
function partsOf(texts: readonly string[]): string[][] {
  const names = texts.map((text) => text.replace(/@.*/, '@'))
  const ends = names.map((name) => [...name].slice(-END).join(''))
  const parts = [ends, names, texts].map((keys) => [...new Set(keys)])
  const different = new Map(parts.map((keys) => [keys.join('\n'), keys]))
  const isIndexed = (key: string) => [...key].length >= TRIGRAM
  return [...different.values()].filter((keys) => keys.length > 0 && keys.every(isIndexed))
}

const searchInAny = (handle: Handle, texts: readonly string[]): RawBuilder<{ id: number }> =>
  sql.join(
    texts.map((text) => searchIn(handle, text)),
    sql` union all `,
  )

type Range = {
  /** Only users with these ids. */
  among?: readonly number[]
  after: Position | null
  to: Position | null
}

/** The users between two positions that the filter lets through. */
export async function listBetween(
  handle: Handle,
  filter: Filter,
  order: Order,
  { among, after, to }: Range,
  count: number,
): Promise<UserRow[]> {
  const source = among ? usersAmong(handle, among) : sql`users`
  const { rows } = await sql<UserRow>`select users.* from ${source}
    where ${conditions(handle, filter)} and ${from(order, after)} and ${to ? upTo(order, to) : ALL}
    ${inOrder(order)} limit ${count}`.execute(kyselyOf(handle))
  return rows
}

/** The position `places` users later, whether or not the filter lets them through. */
export async function positionLater(
  handle: Handle,
  { since }: Filter,
  order: Order,
  after: Position | null,
  places: number,
): Promise<Position | null> {
  const inTime = order.by === 'joined' ? joinedSince(since) : ALL
  const { rows } = await sql<Position>`select ${KEYS[order.by]} as key, users.id as id from users
    where ${from(order, after)} and ${inTime} ${inOrder(order)}
    limit 1 offset ${places - 1}`.execute(kyselyOf(handle))
  return rows[0] ?? null
}

export const listPks = (handle: Handle, ids: readonly number[]) =>
  kyselyOf(handle).selectFrom('users').select(['id', 'uuid']).where('id', 'in', ids).execute()

const ALL: RawBuilder<SqlBool> = sql`1 = 1`

const inOrder = ({ by, down }: Order) =>
  down ? sql`order by ${KEYS[by]} desc, users.id desc` : sql`order by ${KEYS[by]}, users.id`

const from = (order: Order, after: Position | null): RawBuilder<SqlBool> =>
  after ? compared(order, order.down ? '<' : '>', after) : ALL

// Not the negation of `from`: no database uses an index for that.
const upTo = (order: Order, position: Position): RawBuilder<SqlBool> =>
  compared(order, order.down ? '>=' : '<=', position)

function compared(
  { by }: Order,
  sign: '<' | '>' | '<=' | '>=',
  { key, id }: Position,
): RawBuilder<SqlBool> {
  const whole = sql<SqlBool>`(${KEYS[by]}, users.id) ${sql.raw(sign)} (${key}, ${id})`
  // SQLite searches the index of an expression by single values only.
  return by === 'last_login'
    ? sql`${KEYS[by]} ${sql.raw(`${sign.charAt(0)}=`)} ${key} and ${whole}`
    : whole
}

const joinedSince = (since: number | undefined): RawBuilder<SqlBool> =>
  since === undefined ? ALL : sql`users.joined_at >= ${since}`

const conditions = (handle: Handle, { texts, state, since }: Filter): RawBuilder<SqlBool> =>
  sql`${texts.length === 0 ? ALL : containsAny(handle, texts)} and ${state ? STATES[state] : ALL}
    and ${joinedSince(since)}`

function containsAny(handle: Handle, texts: readonly string[]): RawBuilder<SqlBool> {
  const spelled = texts.flatMap((text) =>
    ['σ', 'ς'].map((sigma) => text.replace(LAST_SIGMA, (end) => sigma + end.slice(1))),
  )
  const any = [...new Set(spelled)].map((text) => contains(handle, text))
  return sql`(${sql.join(any, sql` or `)})`
}

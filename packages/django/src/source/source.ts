import { sql } from 'kysely'
import { raiseSequence } from '../../../server/src/storage/reserve-ids.ts'
import { connectPostgresProject, connectSqliteProject, type Use } from './connections.ts'
import type { DjangoRow } from './django-user.ts'
import { DAMAGED } from './read-checked.ts'
import { localTimeIn } from './values.ts'

/** It also names the columns whose text is damaged. */
export type Row = DjangoRow & { readonly [DAMAGED]?: readonly string[] }

export type Column = {
  readonly name: string
  readonly isKey: boolean
  /** In the words of the database: `varchar(150)`, `boolean`. */
  readonly type: string
  /** Whether a new row must have a value for it. */
  readonly isNeeded: boolean
  readonly isNullable: boolean
}

export type DjangoSource = Awaited<ReturnType<typeof openSource>>

type Page = { key: string; after: string | number | null; most: number }

/** A row whose key cannot be read. It must be corrected, because no page can start after it. */
export class UnreadableKey extends Error {}

type Options = {
  readonly use: Use
  /** The zone of times that do not name one. Null for UTC, as Django stores them with `USE_TZ`. */
  readonly timeZone?: string | null
}

/**
 * Opens the database of a Django project, which may still be in use. On SQLite no transaction stays
 * open, because it would block the project.
 */
export async function openSource(url: string, { use, timeZone = null }: Options) {
  const isSqlite = url.startsWith('sqlite:')
  const { db, change, close } = await (isSqlite
    ? connectSqliteProject(url.slice('sqlite:'.length), use)
    : connectPostgresProject(url, use))

  return {
    isSqlite,
    timeZone,
    /** Whether everything that is written will be undone. */
    isTrial: use === 'try',

    /** For exports. */
    change,

    /** Empty if there is no such table. */
    async columnsOf(table: string): Promise<Column[]> {
      const query = isSqlite
        ? sql<Described>`
            select name, type, pk > 0 as is_key, "notnull" = 0 as is_nullable,
              "notnull" = 1 and dflt_value is null as is_needed
            from pragma_table_info(${table})`
        : sql<Described>`
            select a.attname as name, coalesce(a.attnum = any(i.indkey), false) as is_key,
              format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as is_nullable,
              a.attnotnull and not a.atthasdef and a.attidentity = '' as is_needed
            from pg_attribute a
            left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
            where a.attrelid = to_regclass(quote_ident(${table})) and a.attnum > 0
              and not a.attisdropped order by a.attnum`
      const { rows } = await query.execute(db)
      return rows.map(({ name, type, is_key, is_needed, is_nullable }) => ({
        name,
        type: type.toLowerCase(),
        isKey: Boolean(is_key),
        isNeeded: Boolean(is_needed),
        isNullable: Boolean(is_nullable),
      }))
    },

    async count(table: string): Promise<number> {
      const query = sql<{ count: unknown }>`select count(*) as count from ${sql.table(table)}`
      return Number((await query.execute(db)).rows[0]?.count)
    },

    /** In the order of the key, after the given one. */
    async page(table: string, { key, after, most }: Page): Promise<Row[]> {
      const rows = await db
        .selectFrom(table)
        .selectAll()
        .$if(after !== null, (query) => query.where(key, '>', after))
        .orderBy(key)
        .limit(most)
        .execute()
      if ((rows as Row[]).some((row) => row[DAMAGED]?.includes(key))) {
        throw new UnreadableKey(
          `A ${key} in the table ${table} is not valid UTF-8. Correct it or delete the row.`,
        )
      }
      return withTimes(rows)
    },

    async rowsWith(
      table: string,
      column: string,
      values: readonly (string | number)[],
    ): Promise<Row[]> {
      if (values.length === 0) return []
      // One parameter for all values. Many parameters would cost more than the search itself.
      const isOneOf = isSqlite
        ? sql<boolean>`in (select value from json_each(${JSON.stringify(values)}))`
        : sql<boolean>`= any(${values})`
      const query = sql<Row>`select * from ${sql.table(table)} where ${sql.ref(column)} ${isOneOf}`
      const { rows } = await query.execute(db)
      return withTimes(rows)
    },

    /** Verified addresses with capitals or letters beyond ASCII. It reads the whole table. */
    async oddVerifiedAddresses(): Promise<Row[]> {
      const isOdd = isSqlite
        ? sql`email glob '*[^ -@[-~]*'`
        : sql`cast(email as text) ~ '[^ -@[-~]'`
      const query = sql<Row>`
        select email, user_id from account_emailaddress where verified and ${isOdd}`
      return (await query.execute(db)).rows
    },

    /**
     * `given` is the last id that the database has chosen by itself, and `present` the largest one in
     * the table. Ids above `most` do not count.
     */
    async numbersOf(
      table: string,
      key: string,
      most: number,
    ): Promise<{ given: number; present: number }> {
      const ever = isSqlite
        ? sql<{ id: unknown }>`select seq as id from ${await sequences()} where name = ${table}`
        : sql<{ id: unknown }>`
            select pg_sequence_last_value(pg_get_serial_sequence(quote_ident(${table}), ${key})) as id`
      const now = sql<{ id: unknown }>`select max(${sql.ref(key)}) as id from ${sql.table(table)}
        where ${sql.ref(key)} <= ${most}`
      const [given, present] = [await ever.execute(db), await now.execute(db)].map(({ rows }) => {
        const id = Number(rows[0]?.id ?? 0)
        return id <= most ? id : 0
      }) as [number, number]
      // SQLite continues after the largest id, a sequence of PostgreSQL after the last one it gave.
      return { given: isSqlite || given === 0 ? Math.max(given, present) : given, present }
    },

    /** From now on, SQLite chooses ids above this one. */
    async giveOutAbove(table: string, id: number): Promise<void> {
      if (isSqlite && (await hasSequences())) await change((tx) => raiseSequence(tx, table, id))
    },

    close,
  }

  function withTimes(rows: Row[]): Row[] {
    return timeZone === null ? rows : rows.map((row) => withLocalTimes(row, timeZone))
  }

  /** The table exists only if a table of the database uses AUTOINCREMENT. */
  async function sequences() {
    return (await hasSequences()) ? sql`sqlite_sequence` : sql`(select '' as name, 0 as seq)`
  }

  async function hasSequences(): Promise<boolean> {
    const found = await sql`select 1 from sqlite_master where name = 'sqlite_sequence'`.execute(db)
    return found.rows.length > 0
  }
}

/** The columns with times in the tables of Django, allauth and dj-rest-auth. */
const TIMES: readonly string[] = [
  'last_login',
  'date_joined',
  'created',
  'created_at',
  'last_used_at',
  'expire_date',
  'expires_at',
]

function withLocalTimes(row: Row, timeZone: string): Row {
  const times = TIMES.flatMap((name) => {
    const time = localTimeIn(row[name], timeZone)
    return time === null ? [] : [[name, time] as const]
  })
  return { ...row, ...Object.fromEntries(times) }
}

type Described = {
  name: string
  type: string
  is_key: unknown
  is_needed: unknown
  is_nullable: unknown
}

import { existsSync } from 'node:fs'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { timeOfWallClock } from '../../kernel/wall-clock.ts'
import { sqliteDriver } from '../connect-sqlite.ts'
import { isLocalTime, timeIn } from './values.ts'

/** A row of a table whose columns are known only when it is read. */
export type Row = Readonly<Record<string, unknown>>

export type Column = {
  readonly name: string
  readonly isKey: boolean
  /** As the database calls it: `varchar(150)`, `boolean`. */
  readonly type: string
  /** Whether a new row must have a value there. */
  readonly isNeeded: boolean
}

export type DjangoSource = ReturnType<typeof openSource>

type Page = { key: string; after: string | number | null; most: number }

/** The tables of a Django database, by the names that the settings of the project give them. */
export type Tables = Record<string, Record<string, unknown>>

type Options = {
  readonly isWritable?: boolean
  /** The zone of times that do not name one. Null for UTC, as Django stores them with `USE_TZ`. */
  readonly timeZone?: string | null
}

/**
 * Opens the database of a Django project, for reading only unless asked otherwise. No transaction
 * stays open: on SQLite it would keep the project, which may still be serving, from writing.
 */
export function openSource(url: string, { isWritable = false, timeZone = null }: Options = {}) {
  const isSqlite = url.startsWith('sqlite:')
  const file = url.slice('sqlite:'.length)
  const db = isSqlite ? openSqlite(file, isWritable) : openPostgres(url, isWritable)

  return {
    isSqlite,
    timeZone,

    /** For the way back. */
    change: <T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> =>
      db.transaction().execute(work),

    /** Empty if there is no such table. */
    async columnsOf(table: string): Promise<Column[]> {
      const query = isSqlite
        ? sql<Described>`
            select name, type, pk > 0 as is_key, "notnull" = 1 and dflt_value is null as is_needed
            from pragma_table_info(${table})`
        : sql<Described>`
            select a.attname as name, coalesce(a.attnum = any(i.indkey), false) as is_key,
              format_type(a.atttypid, a.atttypmod) as type,
              a.attnotnull and not a.atthasdef and a.attidentity = '' as is_needed
            from pg_attribute a
            left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
            where a.attrelid = to_regclass(quote_ident(${table})) and a.attnum > 0
              and not a.attisdropped order by a.attnum`
      const { rows } = await query.execute(db)
      return rows.map(({ name, type, is_key, is_needed }) => ({
        name,
        type: type.toLowerCase(),
        isKey: Boolean(is_key),
        isNeeded: Boolean(is_needed),
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
      return withTimes(rows)
    },

    async rowsWith(
      table: string,
      column: string,
      values: readonly (string | number)[],
    ): Promise<Row[]> {
      if (values.length === 0) return []
      // One parameter for all values: a place for each would cost more than the search itself.
      const isOneOf = isSqlite
        ? sql<boolean>`in (select value from json_each(${JSON.stringify(values)}))`
        : sql<boolean>`= any(${values})`
      const query = sql<Row>`select * from ${sql.table(table)} where ${sql.ref(column)} ${isOneOf}`
      const { rows } = await query.execute(db)
      return withTimes(rows)
    },

    /**
     * The largest id that was ever given out, also to rows that are gone by now. Those above
     * `most` do not count.
     */
    async highestId(table: string, key: string, most: number): Promise<number> {
      const ever = isSqlite
        ? sql<{ id: unknown }>`select seq as id from ${await sequences()} where name = ${table}`
        : sql<{ id: unknown }>`
            select pg_sequence_last_value(pg_get_serial_sequence(quote_ident(${table}), ${key})) as id`
      const now = sql<{ id: unknown }>`select max(${sql.ref(key)}) as id from ${sql.table(table)}
        where ${sql.ref(key)} <= ${most}`
      const ids = [await ever.execute(db), await now.execute(db)].map(({ rows }) => rows[0]?.id)
      return Math.max(0, ...ids.map(Number).filter((id) => id <= most))
    },

    close: (): Promise<void> => db.destroy(),
  }

  function withTimes(rows: Row[]): Row[] {
    return timeZone === null ? rows : rows.map((row) => withLocalTimes(row, timeZone))
  }

  /** The table is there only if some table of the database has counted its ids. */
  async function sequences() {
    const found = await sql`select 1 from sqlite_master where name = 'sqlite_sequence'`.execute(db)
    return found.rows.length > 0 ? sql`sqlite_sequence` : sql`(select '' as name, 0 as seq)`
  }
}

/** Django, which may still be serving, holds its lock for a moment at a time. */
const BUSY_MS = 30_000

/** The columns of the original's own tables that have times. */
const TIMES: readonly string[] = [
  ...['last_login', 'date_joined', 'created', 'created_at', 'last_used_at'],
  ...['expire_date', 'expires_at'],
]

function withLocalTimes(row: Row, timeZone: string): Row {
  const times = TIMES.flatMap((name) => {
    const at = isLocalTime(row[name]) ? timeIn(row[name]) : null
    return at === null ? [] : [[name, new Date(timeOfWallClock(at, timeZone))] as const]
  })
  return { ...row, ...Object.fromEntries(times) }
}

type Described = { name: string; type: string; is_key: unknown; is_needed: unknown }

function openSqlite(file: string, isWritable: boolean): Kysely<Tables> {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
  const SqliteDriver = sqliteDriver.load()
  const database = new SqliteDriver(file, { timeout: BUSY_MS })
  database.exec(isWritable ? 'PRAGMA foreign_keys = ON' : 'PRAGMA query_only = ON')
  return new Kysely({
    dialect: new SqliteDialect({
      database: {
        close: () => database.close(),
        prepare(text) {
          const statement = database.prepare(text)
          return {
            reader: statement.reader,
            all: (parameters) => statement.all(parameters),
            run: (parameters) => statement.run(parameters),
            iterate,
          }
        },
      },
    }),
  })
}

/** Rows are read in pages. */
function iterate(): never {
  throw new Error('Streaming is not supported.')
}

function openPostgres(url: string, isWritable: boolean): Kysely<Tables> {
  return new Kysely({
    dialect: new PostgresDialect({
      // The package is large, and who comes from SQLite never needs it.
      pool: async () => {
        const { default: pg } = await import('pg')
        const pool = new pg.Pool({
          connectionString: url,
          max: 1,
          application_name: 'latchkey import',
          types: {
            getTypeParser: (oid: number, format?: 'text' | 'binary') =>
              AS_TEXT.has(oid) ? String : pg.types.getTypeParser(oid, format as 'text'),
          },
        })
        // Not by `options`, which the address may have, too: a schema of the project, for one.
        if (!isWritable) pool.on('connect', (client) => void client.query(READ_ONLY))
        return pool
      },
    }),
  })
}

const READ_ONLY = 'set default_transaction_read_only = on'

/** Dates, and times without a zone: as a `Date` they would depend on the zone of this machine. */
const AS_TEXT: ReadonlySet<number> = new Set([1082, 1114])

import { type Kysely, sql } from 'kysely'
import { isSqlite } from '../handle.ts'
import type { Database } from '../schema.ts'
import type { Column, MovedTable } from './describe-tables.ts'

/** The values in the order of the columns. Integers are decimal texts, so that 64 bits stay exact. */
export type Row = readonly (string | null)[]

/** An open transaction, or a connection to a database that nobody else uses. */
type Open = Kysely<Database>

const BATCH = 2000
/** A batch is in memory several times, and one value for PostgreSQL, which takes at most 256 MB. */
const BATCH_BYTES = 8_000_000
/** More rows in one statement of SQLite are slower again. */
const ROWS_A_STATEMENT = 100
const BEFORE_ALL = String(-(2n ** 63n))

export async function countRows(db: Open, { name }: MovedTable): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(name)}`.execute(db)
  return Number(rows[0]?.count)
}

/** All rows, a batch at a time, in any order. Nobody may write meanwhile. */
export async function* readRows(db: Open, table: MovedTable): AsyncGenerator<Row[]> {
  const most = await batchFor(db, table)
  yield* isSqlite(db) ? readFromSqlite(db, table, most) : readFromPostgres(db, table, most)
}

/** How many of the longest row fit into a batch. */
async function batchFor(db: Open, { name, columns }: MovedTable): Promise<number> {
  const texts = columns.filter(({ kind }) => kind === 'text')
  const lengths = texts.map((column) => sql`coalesce(octet_length(${sql.ref(column.name)}), 0)`)
  const sum = sql.join([sql`0`, ...lengths], sql` + `)
  const { rows } = await sql<{ longest: number | null }>`
    select max(${sum}) as longest from ${sql.table(name)}`.execute(db)
  return Math.min(BATCH, Math.ceil(BATCH_BYTES / (rows[0]?.longest || 1)))
}

/**
 * The driver takes longer to hand over single values than to hand over one JSON text with all of them, and
 * ends a text at its first NUL character.
 */
async function* readFromSqlite(
  db: Open,
  { name, columns }: MovedTable,
  most: number,
): AsyncGenerator<Row[]> {
  const values = sql.join(columns.map(asSqliteText))
  for (let after: string | null = BEFORE_ALL; ; ) {
    const { rows }: { rows: Batch[] } = await sql<Batch>`
      select cast(max(moved_rowid) as text) as last, json_group_array(json_array(${values})) as batch
      from (select rowid as moved_rowid, * from ${sql.table(name)}
        where rowid > cast(${after} as integer) order by rowid limit ${sql.lit(most)})`.execute(db)
    after = rows[0]?.last ?? null
    if (after === null) return
    yield JSON.parse(rows[0]?.batch ?? '[]')
  }
}

/** The rows as JSON, and the id of the last one. */
type Batch = { last: string | null; batch: string }

const asSqliteText = ({ name, kind }: Column) =>
  kind === 'text' ? sql.ref(name) : sql`cast(${sql.ref(name)} as text)`

/** A cursor lives in its transaction, so it works behind a pooler, too. */
async function* readFromPostgres(
  db: Open,
  { name, columns }: MovedTable,
  most: number,
): AsyncGenerator<Row[]> {
  const values = sql.join(columns.map((column) => sql`${sql.ref(column.name)}::text`))
  const cursor = sql.ref('latchkey_moved')
  await sql`declare ${cursor} no scroll cursor for select json_build_array(${values}) as cells
    from ${sql.table(name)}`.execute(db)
  for (;;) {
    const { rows } = await sql<{ cells: Row }>`
      fetch forward ${sql.lit(most)} from ${cursor}`.execute(db)
    if (rows.length === 0) break
    yield rows.map(({ cells }) => cells)
  }
  await sql`close ${cursor}`.execute(db)
}

/** Inserts the rows as they are, ids included. */
export const writeRows = (db: Open, table: MovedTable, rows: readonly Row[]): Promise<void> =>
  isSqlite(db) ? writeToSqlite(db, table, rows) : writeToPostgres(db, table, rows)

async function writeToSqlite(db: Open, table: MovedTable, rows: readonly Row[]): Promise<void> {
  // Batches of long rows are smaller than a statement, and all but the last are equally large.
  const step = Math.min(ROWS_A_STATEMENT, rows.length)
  const whole = rows.length - (rows.length % step)
  for (let from = 0; from < whole; from += step) {
    await insertValues(db, table, rows.slice(from, from + step))
  }
  // One by one, since each number of rows would be another statement to prepare.
  for (const row of rows.slice(whole)) await insertValues(db, table, [row])
}

/** SQLite turns the texts into integers where the column asks for it. */
async function insertValues(db: Open, table: MovedTable, rows: readonly Row[]): Promise<void> {
  const values = rows.map((row) => sql`(${sql.join(row)})`)
  await sql`insert into ${sql.table(table.name)} (${namesOf(table)})
    values ${sql.join(values)}`.execute(db)
}

async function writeToPostgres(db: Open, table: MovedTable, rows: readonly Row[]): Promise<void> {
  const batch = JSON.stringify(rows)
  if (batch.includes('\\u0000')) refuseNul(table, rows)
  const values = table.columns.map(({ kind }, at) =>
    kind === 'text' ? sql`r->>${sql.lit(at)}` : sql`(r->>${sql.lit(at)})::bigint`,
  )
  await sql`insert into ${sql.table(table.name)} (${namesOf(table)})
    select ${sql.join(values)} from jsonb_array_elements(${batch}::jsonb) as r`.execute(db)
}

const namesOf = ({ columns }: MovedTable) => sql.join(columns.map(({ name }) => sql.ref(name)))

function refuseNul({ name, columns }: MovedTable, rows: readonly Row[]): void {
  const at = columns.findIndex((_, i) => rows.some((row) => row[i]?.includes('\0')))
  if (at < 0) return
  throw new Error(
    `A text in ${name}.${columns[at]?.name} has a NUL character, which PostgreSQL cannot store. Remove it at the source first.`,
  )
}

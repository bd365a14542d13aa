import { type Kysely, sql } from 'kysely'
import { inMigratedMemory } from '../ready-tables.ts'
import type { Database } from '../schema.ts'

export type Column = { name: string; kind: 'text' | 'integer' }

export type MovedTable = {
  name: string
  columns: readonly Column[]
  /** True if new rows get their ids from a sequence. */
  hasSequence: boolean
}

/** These are about one database: its migrations, and who uses it. */
const STAYING = /^latchkey_/

const KINDS: Readonly<Record<string, Column['kind']>> = {
  text: 'text',
  integer: 'integer',
  bigint: 'integer',
}

/**
 * Every table that a move carries, referenced ones first. The migrations are the only description of the
 * tables, so they run on an empty database in memory, which is then read. A source cannot describe them:
 * it may also have tables of other programs.
 */
export const describeTables = (): Promise<readonly MovedTable[]> => inMigratedMemory(readTables)

type Described = MovedTable & { references: readonly string[] }

async function readTables(db: Kysely<Database>): Promise<readonly MovedTable[]> {
  const { rows } = await sql<{ name: string; text: string }>`
    select name, sql as text from sqlite_master
    where type = 'table' and name not like 'sqlite_%' order by name`.execute(db)
  const left = new Map<string, Described>()
  for (const { name, text } of rows) {
    if (STAYING.test(name)) continue
    left.set(name, {
      name,
      columns: await readColumns(db, name),
      hasSequence: /\bautoincrement\b/i.test(text),
      references: await readReferences(db, name),
    })
  }
  const inOrder: MovedTable[] = []
  while (left.size > 0) {
    const ready = [...left.values()].filter(
      ({ name, references }) => !references.some((other) => other !== name && left.has(other)),
    )
    if (ready.length === 0) throw new Error('Tables refer to each other in a circle.')
    for (const { references, ...table } of ready) {
      inOrder.push(table)
      left.delete(table.name)
    }
  }
  return inOrder
}

async function readColumns(db: Kysely<Database>, table: string): Promise<Column[]> {
  const { rows } = await sql<{ name: string; type: string }>`
    select name, type from pragma_table_info(${table}) order by name`.execute(db)
  return rows.map(({ name, type }) => {
    const kind = KINDS[type.toLowerCase()]
    if (!kind) throw new Error(`${table}.${name} has the type ${type}, which a move cannot carry.`)
    return { name, kind }
  })
}

async function readReferences(db: Kysely<Database>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select "table" as name from pragma_foreign_key_list(${table})`.execute(db)
  return rows.map(({ name }) => name)
}

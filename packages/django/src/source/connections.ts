import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Kysely, PostgresDialect, SqliteDialect, type SqliteStatement } from 'kysely'
import { copySqlite, openSqlite } from '../../../server/src/storage/sqlite-file.ts'
import { readChecked } from './read-checked.ts'

/** The tables of a Django database. Their names depend on the project. */
export type Tables = Record<string, Record<string, unknown>>

/** How a database is used. With `try`, nobody else sees what is written, and it is undone. */
export type Use = 'read' | 'write' | 'try'

export type Connected = {
  readonly db: Kysely<Tables>
  change<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Django may still be in use. It holds its lock only for moments. */
const BUSY_MS = 30_000

/** A trial writes into a copy, because a long transaction would block the project. */
export async function connectSqliteProject(file: string, use: Use): Promise<Connected> {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
  const folder = use === 'try' ? await newFolderBeside(file) : null
  const used = folder === null ? file : join(folder, 'project.db')
  try {
    if (folder !== null) copySqlite(file, used)
    const db = openProject(used, use)
    const close = async () => {
      await db.destroy()
      await removeFolder()
    }
    return { db, change: (work) => db.transaction().execute(work), close }
  } catch (error) {
    await removeFolder()
    throw error
  }

  async function removeFolder(): Promise<void> {
    if (folder !== null) await rm(folder, { recursive: true, force: true })
  }
}

/** Beside the database, where there is room for a copy, if that folder is writable. */
const newFolderBeside = (file: string): Promise<string> =>
  mkdtemp(join(dirname(file), 'dry-run-')).catch(() => mkdtemp(join(tmpdir(), 'dry-run-')))

function openProject(file: string, use: Use): Kysely<Tables> {
  const database = openSqlite(file, BUSY_MS)
  database.exec(use === 'read' ? 'PRAGMA query_only = ON' : 'PRAGMA foreign_keys = ON')
  // Preparing a statement costs as much as reading, and there are few different ones.
  const statements = new Map<string, SqliteStatement>()
  function prepare(text: string): SqliteStatement {
    const known = statements.get(text)
    if (known) return known
    const statement = database.prepare(text)
    const { reader } = statement
    const all = reader ? readChecked(database, text) : () => []
    const prepared = {
      reader,
      all,
      run: (values: readonly unknown[]) => statement.run(values),
      iterate,
    }
    statements.set(text, prepared)
    return prepared
  }
  return new Kysely({
    dialect: new SqliteDialect({ database: { prepare, close: () => database.close() } }),
  })
}

/** Never needed: rows are read in pages. */
function iterate(): never {
  throw new Error('Streaming is not supported.')
}

/** A trial is one transaction, which is rolled back at the end. */
export async function connectPostgresProject(url: string, use: Use): Promise<Connected> {
  const db = openPostgres(url, use)
  if (use !== 'try') {
    return { db, change: (work) => db.transaction().execute(work), close: () => db.destroy() }
  }
  const trial = await db.startTransaction().execute()
  return {
    db: trial,
    async change(work) {
      const step = await trial.savepoint('step').execute()
      try {
        const result = await work(step)
        await step.releaseSavepoint('step').execute()
        return result
      } catch (error) {
        await step.rollbackToSavepoint('step').execute()
        throw error
      }
    },
    async close() {
      await trial.rollback().execute()
      await db.destroy()
    },
  }
}

function openPostgres(url: string, use: Use): Kysely<Tables> {
  return new Kysely({
    dialect: new PostgresDialect({
      // The package is large, and a project on SQLite does not need it.
      pool: async () => {
        const { default: pg } = await import('pg')
        const { primaryUrl } = await import('../../../server/src/storage/postgres-primary.ts')
        const pool = new pg.Pool({
          connectionString: await primaryUrl(url),
          max: 1,
          application_name: 'latchkey import',
          types: {
            getTypeParser: (oid: number, format?: 'text' | 'binary') =>
              AS_TEXT.has(oid) ? String : pg.types.getTypeParser(oid, format as 'text'),
          },
        })
        // Not with `options`, because the URL may contain its own, for example a schema.
        if (use === 'read') pool.on('connect', (client) => void client.query(readOnly(client)))
        return pool
      },
    }),
  })
}

/**
 * Lets the connection only read, unless a pooler is in between: that would pass the setting on to the
 * project. The pooler's id for the connection differs from that of the server.
 */
function readOnly(client: object): string {
  const { processID } = client as { processID: number }
  return `select set_config('default_transaction_read_only', 'on', false)
    where pg_backend_pid() = ${processID}`
}

/** Dates, and times without a zone. As a `Date` they would depend on the zone of this machine. */
const AS_TEXT: ReadonlySet<number> = new Set([1082, 1114])

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished, TestRunner } from 'vitest'
import { type Connection, connect } from '../../src/storage/connect.ts'
import { addTables } from '../../src/storage/ready-tables.ts'
import { type AtTheEnd, newDatabaseFolder } from './database-folder.ts'
import { emptyTables, writeTables } from './ready-tables.ts'

/** An empty database without tables. `shared` allows a second connection. */
export async function newDatabase(
  shared: boolean,
  atTheEnd: AtTheEnd = onTestFinished,
): Promise<string> {
  const url = inject('postgresUrl')
  if (url === null) return shared ? newFile(atTheEnd) : 'sqlite::memory:'
  const schema = `test_${randomBytes(8).toString('hex')}`
  await query(url, `create schema ${schema}`)
  const poolerPort = inject('poolerPort')
  return poolerPort === null ? inSchema(url, schema) : throughPooler(url, schema, poolerPort)
}

/** PgBouncer refuses `options`, so the schema belongs to a role of its own. */
async function throughPooler(url: string, schema: string, port: number): Promise<string> {
  await query(url, `create role ${schema} superuser login`)
  await query(url, `alter role ${schema} set search_path = ${schema}`)
  return `postgres://${schema}@127.0.0.1:${port}/latchkey`
}

/** The same database for an operator, who does not use the pooler. */
export function directUrl(url: string): string {
  const direct = new URL(url)
  direct.port = new URL(inject('postgresUrl') ?? url).port
  return direct.href
}

async function newFile(
  atTheEnd: AtTheEnd,
  fill: (file: string) => Promise<void> = async () => {},
): Promise<string> {
  const folder = await newDatabaseFolder('sqlite', atTheEnd)
  const file = join(folder, 'latchkey.db')
  await fill(file)
  return `sqlite:${file}`
}

/** The speed of the machine must not matter. */
export const PATIENT = { DATABASE_READ_TIMEOUT: '30s', DATABASE_WRITE_TIMEOUT: '30s' }
export const PATIENT_MS = { DATABASE_READ_TIMEOUT: 30_000, DATABASE_WRITE_TIMEOUT: 30_000 }

type Opened = { url: string; connection: Connection }

/** After `keep`, closing the connection gives it back. Before that it is really closed. */
type Borrowed = Opened & { keep(): void }

/** A failed test may go on after its time is up, so nothing that it used serves another test. */
export const hasFailed = (): boolean => TestRunner.getCurrentTest()?.result?.state === 'fail'

/** Databases with all tables that earlier tests no longer use, and their open connections. */
const kept: Opened[] = []

/**
 * A connection to a database without rows. It may be an old one that has been emptied, since making
 * tables and opening connections takes longer than most tests.
 */
export async function openDatabase(): Promise<Borrowed> {
  const known = kept.pop()
  const opened = (known && (await emptied(known))) ?? (await newOpened())
  let [isClosed, isKept] = [false, false]
  const close = async () => {
    if (!isClosed && isKept) kept.push(opened)
    else await opened.connection.close()
    isClosed = true
  }
  const keep = () => {
    isKept = !hasFailed()
  }
  return { url: opened.url, connection: { ...opened.connection, close }, keep }
}

async function newOpened(): Promise<Opened> {
  const url = await newDatabase(false)
  const connection = connect({ DATABASE_URL: url, ...PATIENT_MS })
  if (connection.engine === 'sqlite') await addTables(connection)
  return { url, connection }
}

/** Null if the test has broken the database, as some do on purpose. */
async function emptied(opened: Opened): Promise<Opened | null> {
  try {
    await emptyTables(opened.connection)
    return opened
  } catch {
    await opened.connection.close()
    return null
  }
}

/** A database without rows, to be opened by its address. On SQLite it is a file with all tables. */
export async function emptyDatabase(atTheEnd: AtTheEnd): Promise<string> {
  if (inject('postgresUrl') === null) return newFile(atTheEnd, writeTables)
  const { url, connection, keep } = await openDatabase()
  atTheEnd(() => {
    keep()
    return connection.close()
  })
  return url
}

const inSchema = (url: string, schema: string): string =>
  `${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client(directUrl(url))
  await client.connect()
  await client.query(text)
  await client.end()
}

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'

/** `onTestFinished`, or `afterAll` for a database that a whole file uses. */
export type AtTheEnd = (cleanUp: () => Promise<void>) => void

/** An empty database without tables. `shared` allows a second connection. */
export async function newDatabase(
  shared: boolean,
  atTheEnd: AtTheEnd = onTestFinished,
): Promise<string> {
  const url = inject('postgresUrl')
  if (url === null) return shared ? newFile(atTheEnd) : 'sqlite::memory:'
  const schema = `test_${randomBytes(8).toString('hex')}`
  await query(url, `create schema ${schema}`)
  return inSchema(url, schema)
}

async function newFile(atTheEnd: AtTheEnd): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-sqlite-'))
  atTheEnd(() => rm(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, 'latchkey.db')}`
}

/** Databases on PostgreSQL, with all tables, that earlier tests no longer use. */
const used: string[] = []

/**
 * A database without rows. On PostgreSQL it may be an old one that has been emptied, since making
 * tables takes longer.
 */
export async function emptyDatabase(shared: boolean, atTheEnd: AtTheEnd): Promise<string> {
  const old = used.pop()
  if (old) await query(old, EMPTY_ALL)
  const url = old ?? (await newDatabase(shared, atTheEnd))
  if (inject('postgresUrl') !== null) {
    atTheEnd(async () => {
      used.push(url)
    })
  }
  return url
}

const inSchema = (url: string, schema: string): string =>
  `${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(text)
  await client.end()
}

/** Deletes all rows except the list of migrations. Ids begin with 1 again. */
const EMPTY_ALL = `do $$
  declare name text;
  begin
    set local session_replication_role = replica;
    for name in select tablename from pg_tables
      where schemaname = current_schema and tablename not like '%migrations'
    loop execute format('delete from %I', name); end loop;
    perform setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false)
      from pg_sequences where schemaname = current_schema and last_value is not null;
  end $$`

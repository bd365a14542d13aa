import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Connection } from '../../src/storage/connect.ts'
import { isUnavailable } from '../../src/storage/faults.ts'
import { joinFile } from '../../src/storage/file-turns.ts'
import { type Db, handleOf, kyselyOf } from '../../src/storage/handle.ts'
import { withSnapshot } from '../../src/storage/move/snapshot.ts'
import { change, many } from '../../src/storage/query.ts'
import { createSqliteConnection } from '../../src/storage/sqlite-connection.ts'
import { createSqliteDriver } from '../../src/storage/sqlite-driver.ts'
import { makePrivateFile, openSqlite } from '../../src/storage/sqlite-file.ts'
import { kyselyOver } from '../../src/storage/statements.ts'
import { transaction } from '../../src/storage/transaction.ts'

const add = change((db, key: string) =>
  db.insertInto('limits').values({ key, hits: '', expires_at: 1 }),
)
const keys = many((db) => db.selectFrom('limits').select('key').orderBy('key'))
const keysOf = async (db: Db) => (await keys(db)).map(({ key }) => key)

/** A database on a disk that fails in statements that match. */
async function openOnDisk() {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-disk-'))
  const file = join(folder, 'data.db')
  const disk = { failing: null as RegExp | null, code: 'SQLITE_IOERR_READ', isReadOnly: false }

  function use(text: string): void {
    if (!disk.failing?.test(text)) return
    throw Object.assign(new Error('disk I/O error'), { code: disk.code })
  }

  const open = vi.fn(() => {
    const database = openSqlite(file)
    const prepare = database.prepare.bind(database)
    const exec = database.exec.bind(database)
    use('open')
    // As SQLite does with a file that it cannot open for writing.
    if (disk.isReadOnly) database.exec('PRAGMA query_only = ON')
    database.exec = ((text: string) => {
      use(text)
      return exec(text)
    }) as typeof database.exec
    database.prepare = ((text: string) => {
      const statement = prepare(text)
      for (const name of ['run', 'get', 'all'] as const) {
        const execute = statement[name].bind(statement)
        Object.assign(statement, {
          [name](values: unknown[]) {
            use(text)
            return execute(values)
          },
        })
      }
      return statement
    }) as typeof database.prepare
    return database
  })

  makePrivateFile(file)
  const connection = createSqliteConnection(open, file)
  const turns = joinFile(file)
  const kysely = kyselyOver(
    createSqliteDriver({ connection, turns, freeze: { isOn: false }, mostMs: 50 }),
    {
      createAdapter: () => new SqliteAdapter(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (db: Kysely<never>) => new SqliteIntrospector(db),
    },
  )
  onTestFinished(async () => {
    await kysely.destroy()
    turns.leave()
    connection.database.close()
    await rm(folder, { recursive: true })
  })
  await sql`create table limits (key text primary key, hits text, expires_at integer)`.execute(
    kysely,
  )
  return { file, disk, open, connection, db: handleOf<Db>(kysely) }
}

test.each(['SQLITE_IOERR_READ', 'SQLITE_CORRUPT', 'SQLITE_NOTADB'])(
  'after %s the file is opened again, as soon as the disk works',
  async (code) => {
    const { disk, open, db } = await openOnDisk()
    await add(db, 'before')
    Object.assign(disk, { failing: /select|open/, code })
    for (let i = 0; i < 3; i++) await expect(keysOf(db)).rejects.toSatisfy(isUnavailable)
    await expect(transaction(db, (tx) => add(tx, 'a'))).rejects.toSatisfy(isUnavailable)
    disk.failing = null
    expect(await keysOf(db)).toEqual(['before'])
    await transaction(db, (tx) => add(tx, 'after'))
    expect(await keysOf(db)).toEqual(['after', 'before'])
    const opened = open.mock.settledResults.length
    await keysOf(db)
    expect(open).toHaveBeenCalledTimes(opened)
  },
)

test('what reads a snapshot is told of the failure, not that nothing can be rolled back', async () => {
  const { disk, db } = await openOnDisk()
  Object.assign(disk, { failing: /^select/, code: 'SQLITE_CORRUPT' })
  const connection = { patientDb: kyselyOf(db), engine: 'sqlite' } as Connection
  const read = withSnapshot(connection, (one) => keys(handleOf(one)))
  await expect(read).rejects.toThrow('disk I/O error')
})

test('a transaction that the disk has failed writes nothing, even if its work goes on', async () => {
  const { disk, db, connection } = await openOnDisk()
  disk.failing = /select/
  const work = transaction(db, async (tx) => {
    await add(tx, 'first')
    await keys(tx).catch(() => {})
    // As SQLite does for some failures. The next statement would be committed by itself.
    connection.database.exec('rollback')
    await expect(add(tx, 'second')).rejects.toSatisfy(isUnavailable)
  })
  await expect(work).rejects.toSatisfy(isUnavailable)
  disk.failing = null
  expect(await keysOf(db)).toEqual([])
})

test.each(['commit', 'insert'])('nothing is repeated if the disk fails in %s', async (step) => {
  const { disk, db } = await openOnDisk()
  disk.failing = new RegExp(step)
  const work = vi.fn(() => Promise.resolve())
  const trying = transaction(db, async (tx) => {
    await work()
    await add(tx, 'a')
  })
  await expect(trying).rejects.toThrow('disk I/O error')
  expect(work).toHaveBeenCalledTimes(1)
  disk.failing = null
  expect(await keysOf(db)).toEqual([])
})

test('a disk that is gone does not become an empty database', async () => {
  const { file, disk, db } = await openOnDisk()
  await add(db, 'a')
  disk.failing = /select/
  await expect(keysOf(db)).rejects.toSatisfy(isUnavailable)
  disk.failing = null
  await rename(file, `${file}.away`)
  await expect(keysOf(db)).rejects.toSatisfy(isUnavailable)
  expect(existsSync(file)).toBe(false)
  await rename(`${file}.away`, file)
  expect(await keysOf(db)).toEqual(['a'])
})

test('a disk that was read-only can be written again, and reads go on meanwhile', async () => {
  const { disk, open, connection, db } = await openOnDisk()
  await add(db, 'before')
  Object.assign(disk, { failing: /insert/, isReadOnly: true })
  await expect(add(db, 'a')).rejects.toSatisfy(isUnavailable)
  disk.failing = null
  for (let i = 0; i < 3; i++) {
    await expect(add(db, 'a')).rejects.toMatchObject({ code: 'SQLITE_READONLY' })
    expect(await keysOf(db)).toEqual(['before'])
  }
  expect(open).toHaveBeenCalledTimes(2)

  disk.isReadOnly = false
  connection.checkFile()
  await add(db, 'after')
  connection.checkFile()
  expect(await keysOf(db)).toEqual(['after', 'before'])
  expect(open).toHaveBeenCalledTimes(3)
})

test('a file that stays read-only is not opened again and again', async ({ skip }) => {
  skip(process.getuid?.() === 0, 'root can write to every file.')
  const { file, disk, open, connection, db } = await openOnDisk()
  Object.assign(disk, { failing: /insert/, isReadOnly: true })
  await expect(add(db, 'a')).rejects.toSatisfy(isUnavailable)
  disk.failing = null
  await chmod(file, 0o400)
  for (let i = 0; i < 3; i++) {
    await expect(add(db, 'a')).rejects.toMatchObject({ code: 'SQLITE_READONLY' })
    connection.checkFile()
  }
  expect(open).toHaveBeenCalledTimes(2)
})

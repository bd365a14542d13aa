import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { connectSqlite } from '../../src/storage/connect-sqlite.ts'
import { isBusy, isUniqueViolation } from '../../src/storage/faults.ts'
import { type Db, handleOf } from '../../src/storage/handle.ts'
import { change, one, whether } from '../../src/storage/query.ts'
import { transaction } from '../../src/storage/transaction.ts'

const DEADLINES = { readMs: 50, writeMs: 50 }

const add = whether((db, key: string) =>
  db.insertInto('limits').values({ key, hits: '', expires_at: 1 }).returning('key'),
)
const addQuietly = change((db, key: string) =>
  db.insertInto('limits').values({ key, hits: '', expires_at: 1 }),
)
const touch = change((db, time: number) => db.updateTable('limits').set({ expires_at: time }))
const touchAll = one((db, time: number) =>
  db.updateTable('limits').set({ expires_at: time }).returning('key'),
)
const find = one((db, key: string) => db.selectFrom('limits').selectAll().where('key', '=', key))

async function openFile(deadlines = DEADLINES) {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-driver-'))
  const file = join(folder, 'data.db')
  const connection = connectSqlite(file, deadlines)
  onTestFinished(async () => {
    await connection.close()
    await rm(folder, { recursive: true })
  })
  await sql`create table limits (key text primary key, hits text, expires_at integer)`.execute(
    connection.db,
  )
  return { ...connection, file, db: handleOf<Db>(connection.db), kysely: connection.db }
}

/** Like another process, this connection does not see our turns. */
async function otherProcess(file: string) {
  const { default: Libsql } = await import('libsql')
  return new Libsql(file)
}

test('a statement that has failed works at its next use', async () => {
  const { db } = await openFile()
  for (const run of [add, addQuietly]) {
    await run(db, 'taken')
    await expect(run(db, 'taken')).rejects.toSatisfy(isUniqueViolation)
    await run(db, 'free')
    expect(await find(db, 'free')).toMatchObject({ key: 'free' })
    await sql`delete from limits`.execute(db as never)
  }
})

test('a lookup finds what it asks for, whatever the same text was asked before', async () => {
  const { db, kysely } = await openFile()
  for (const key of ['a', 'b']) await addQuietly(db, key)
  const list = (key: string) =>
    kysely.selectFrom('limits').selectAll().where('key', '=', key).execute()
  expect(await list('a')).toMatchObject([{ key: 'a' }])
  expect(await find(db, 'b')).toMatchObject({ key: 'b' })
  expect(await list('a')).toMatchObject([{ key: 'a' }])
  expect(await find(db, 'c')).toBeUndefined()

  const values = { key: 'd', hits: '', expires_at: 1 }
  await kysely.insertInto('limits').values(values).returning('key').execute()
  expect(await add(db, 'e')).toBe(true)
  expect(await find(db, 'e')).toMatchObject({ key: 'e' })
})

test('a statement that waited in vain leaves its values to no later one', async () => {
  const { db, file } = await openFile()
  await add(db, 'a')
  const other = await otherProcess(file)
  other.exec('begin immediate')
  await expect(add(db, 'b')).rejects.toSatisfy(isBusy)
  other.exec('rollback')
  other.close()
  expect(await add(db, 'c')).toBe(true)
  expect(await find(db, 'b')).toBeUndefined()
  expect(await find(db, 'c')).toMatchObject({ key: 'c' })
})

test('a change whose commit fails is refused, even if only its first row is wanted', async () => {
  const { db, kysely } = await openFile()
  // A deferred key is checked at the commit, where a full disk is noticed, too.
  await sql`create table outbox (state text references limits (key) deferrable initially deferred)
    `.execute(kysely)
  const send = whether((writer, state: string) =>
    writer
      .insertInto('outbox')
      .values({ state } as never)
      .returning('state'),
  )
  await expect(send(db, 'unknown')).rejects.toThrow('FOREIGN KEY')
  const { rows } = await sql`select * from outbox`.execute(kysely)
  expect(rows).toEqual([])
})

test('a column that a newer version adds shifts no other', async () => {
  const { db, file, kysely } = await openFile()
  await addQuietly(db, 'a')
  const last = sql<string>`'last'`.as('last')
  const shown = one((reader) => reader.selectFrom('limits').selectAll('limits').select(last))
  const all = () => kysely.selectFrom('limits').selectAll('limits').select(last).execute()
  const row = { key: 'a', hits: '', expires_at: 1, last: 'last' }
  expect([await shown(db), ...(await all())]).toEqual([row, row])
  const other = await otherProcess(file)
  other.exec('alter table limits add column note text')
  other.close()
  const longer = { ...row, note: null }
  expect([await shown(db), ...(await all())]).toEqual([longer, longer])
})

test('a statement that only wants its first row changes all of them, and ends', async () => {
  const { db, kysely, isLocked } = await openFile()
  for (const key of ['a', 'b', 'c']) await addQuietly(db, key)
  expect(await touchAll(db, 7)).toEqual({ key: 'a' })
  expect(await isLocked()).toBe(false)
  const { rows } = await sql`select key from limits where expires_at = 7`.execute(kysely)
  expect(rows).toHaveLength(3)
})

test('transactions go on after a statement has waited in vain for another process', async () => {
  const { db, file, kysely } = await openFile()
  await addQuietly(db, 'a')
  const other = await otherProcess(file)
  for (const write of [
    () => touch(db, 5),
    () => sql`update limits set hits = 'x'`.execute(kysely),
  ]) {
    other.exec('begin immediate')
    await expect(write()).rejects.toSatisfy(isBusy)
    other.exec('rollback')
    await transaction(db, (tx) => touch(tx, 8))
    expect(await find(db, 'a')).toMatchObject({ expires_at: 8 })
  }
  other.close()
})

test('while another process has the lock, lookups go on, and changes wait together', async () => {
  const { db, file } = await openFile({ readMs: 400, writeMs: 400 })
  await addQuietly(db, 'a')
  const other = await otherProcess(file)
  other.exec('begin immediate')
  const since = performance.now()
  const settled: string[] = []
  const changes = [
    transaction(db, (tx) => touch(tx, 5)),
    touch(db, 6),
    transaction(db, (tx) => touch(tx, 7)),
    touch(db, 8),
  ].map((change) => expect(change.finally(() => settled.push('change'))).rejects.toSatisfy(isBusy))
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(await find(db, 'a')).toMatchObject({ expires_at: 1 })
  expect(settled).toEqual([])
  await Promise.all(changes)
  expect(performance.now() - since).toBeLessThan(3 * 400)
  other.close()
})

test('lookups do not keep a change from the lock that another process returns', async () => {
  const { db, file } = await openFile({ readMs: 400, writeMs: 400 })
  await addQuietly(db, 'a')
  const other = await otherProcess(file)
  for (const [time, write] of [
    () => touch(db, 0),
    () => transaction(db, (tx) => touch(tx, 1)),
  ].entries()) {
    other.exec('begin immediate')
    other.exec(`insert into limits (key, expires_at) values ('${time}', 1)`)
    const written = write()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await find(db, String(time))).toBeUndefined()
    other.exec('commit')
    await written
    expect(await find(db, String(time))).toMatchObject({ expires_at: time })
  }
  other.close()
})

test('a second transaction in one turn waits as long as the first, however long that took', async () => {
  const { file, kysely } = await openFile({ readMs: 100, writeMs: 100 })
  const other = await otherProcess(file)
  const write = sql`insert into limits (key, expires_at) values ('a', 1)`
  await kysely.connection().execute(async (connection) => {
    await connection.transaction().execute(async () => {
      await new Promise((resolve) => setTimeout(resolve, 150))
    })
    other.exec('begin immediate')
    const written = connection.transaction().execute((tx) => write.execute(tx))
    await new Promise((resolve) => setTimeout(resolve, 20))
    other.exec('commit')
    await written
  })
  const { rows } = await sql`select key from limits`.execute(kysely)
  expect(rows).toEqual([{ key: 'a' }])
  other.close()
})

test('a change says how many rows it has changed', async () => {
  const { db, kysely } = await openFile()
  for (const key of ['a', 'b', 'c']) await addQuietly(db, key)
  const deleted = async (from: string) =>
    (await kysely.deleteFrom('limits').where('key', '>', from).executeTakeFirst()).numDeletedRows
  expect(await deleted('a')).toBe(2n)
  expect(await deleted('a')).toBe(0n)
})

test('a statement waits while a transaction is open, and sees what it has written', async () => {
  const { db } = await openFile()
  const order: string[] = []
  const [, found] = await Promise.all([
    transaction(db, async (tx) => {
      await addQuietly(tx, 'a')
      await new Promise((resolve) => setTimeout(resolve, 5))
      order.push('transaction')
    }),
    new Promise((resolve) => setImmediate(resolve)).then(async () => {
      const row = await find(db, 'a')
      order.push('statement')
      return row
    }),
  ])
  expect(found).toMatchObject({ key: 'a' })
  expect(order).toEqual(['transaction', 'statement'])
})

test('closing waits for an open transaction, and what it has written stays', async () => {
  const { db, file, close } = await openFile()
  let opened = () => {}
  const isOpen = new Promise<void>((resolve) => {
    opened = resolve
  })
  const written = transaction(db, async (tx) => {
    opened()
    await new Promise((resolve) => setTimeout(resolve, 20))
    await addQuietly(tx, 'a')
  })
  await isOpen
  await Promise.all([close(), close()])
  await written
  const other = await otherProcess(file)
  expect(other.prepare('select key from limits').all()).toMatchObject([{ key: 'a' }])
  other.close()
})

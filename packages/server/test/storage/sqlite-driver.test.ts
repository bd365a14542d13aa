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

async function openFile() {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-driver-'))
  const file = join(folder, 'data.db')
  const connection = connectSqlite(file, DEADLINES)
  onTestFinished(async () => {
    await connection.close()
    await rm(folder, { recursive: true })
  })
  await sql`create table limits (key text primary key, hits text, expires_at integer)`.execute(
    connection.db,
  )
  return { ...connection, file, db: handleOf<Db>(connection.db), kysely: connection.db }
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
  // Another process does not see our turns.
  const { default: Libsql } = await import('libsql')
  const other = new Libsql(file)
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

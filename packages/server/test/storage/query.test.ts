import { expect, test } from 'vitest'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { connect } from '../../src/storage/connect.ts'
import { type Db, handleOf } from '../../src/storage/handle.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { migrations } from '../../src/storage/migrations/all.ts'
import { change, many, one, whether } from '../../src/storage/query.ts'

type Limit = { key: string; hits?: string; expires_at: number }

const addLimit = change((db, limit: Limit) =>
  db.insertInto('limits').values({ hits: 'none', ...limit }),
)
const findLimit = one((db, key: string) =>
  db.selectFrom('limits').selectAll().where('key', '=', key),
)
const listUntil = many((db, time: number) =>
  db.selectFrom('limits').select('key').where('expires_at', '<=', time).orderBy('key'),
)
const removeLimit = whether((db, key: string) =>
  db.deleteFrom('limits').where('key', '=', key).returning('key'),
)

async function openDatabase(): Promise<Db> {
  const connection = connect(resolveSettings({ DATABASE_URL: 'sqlite::memory:' }))
  await migrate(connection, migrations, 0)
  return handleOf<Db>(connection.db)
}

test('a query is built once, and filled with the values of each call', async () => {
  let built = 0
  const countedFind = one((db, key: string, until: number) => {
    built += 1
    return db
      .selectFrom('limits')
      .selectAll()
      .where('key', '=', key)
      .where('expires_at', '<=', until)
  })
  const db = await openDatabase()
  await addLimit(db, { key: 'a', hits: 'x', expires_at: 1 })
  await addLimit(db, { key: 'b', hits: 'y', expires_at: 2 })

  expect(await countedFind(db, 'a', 1)).toEqual({ key: 'a', hits: 'x', expires_at: 1 })
  expect(await countedFind(db, 'b', 2)).toEqual({ key: 'b', hits: 'y', expires_at: 2 })
  expect(await countedFind(db, 'b', 1)).toBeUndefined()
  expect(built).toBe(1)
})

test('rows with other columns are another query', async () => {
  const db = await openDatabase()
  await addLimit(db, { key: 'a', hits: 'x', expires_at: 1 })
  await addLimit(db, { key: 'b', expires_at: 2 })
  await addLimit(db, { expires_at: 3, key: 'c' })

  expect(await findLimit(db, 'a')).toMatchObject({ hits: 'x', expires_at: 1 })
  expect(await findLimit(db, 'b')).toMatchObject({ hits: 'none', expires_at: 2 })
  expect(await findLimit(db, 'c')).toMatchObject({ hits: 'none', expires_at: 3 })
})

test('all rows, or whether there was one', async () => {
  const db = await openDatabase()
  await addLimit(db, { key: 'a', expires_at: 1 })
  await addLimit(db, { key: 'b', expires_at: 2 })

  expect(await listUntil(db, 2)).toEqual([{ key: 'a' }, { key: 'b' }])
  expect(await removeLimit(db, 'a')).toBe(true)
  expect(await removeLimit(db, 'a')).toBe(false)
  expect(await listUntil(db, 2)).toEqual([{ key: 'b' }])
})

test('a value with which a query would have to calculate is refused at its first use', async () => {
  const shifted = one((db, time: number) =>
    db
      .selectFrom('limits')
      .selectAll()
      .where('expires_at', '<=', time - 1),
  )
  await expect(shifted(await openDatabase(), 1)).rejects.toThrow(TypeError)
})

test('a list is no value: the form of its query would depend on it', async () => {
  const findAny = many((db, keys: string[]) =>
    db.selectFrom('limits').selectAll().where('key', 'in', keys),
  )
  await expect(findAny(await openDatabase(), ['a', 'b'])).rejects.toThrow('takes no list')
})

test('nor are several values that are not always as many', async () => {
  const findAny = many((db, ...keys: string[]) =>
    db.selectFrom('limits').selectAll().where('key', 'in', keys),
  )
  const db = await openDatabase()
  for (const key of ['a', 'b', 'c']) await addLimit(db, { key, hits: '', expires_at: 1 })
  expect(await findAny(db, 'a', 'b')).toHaveLength(2)
  await expect(findAny(db, 'a', 'b', 'c')).rejects.toThrow('as many values')
  expect(await findAny(db, 'b', 'c')).toHaveLength(2)
})

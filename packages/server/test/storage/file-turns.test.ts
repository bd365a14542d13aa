import { stat, symlink } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { connectSqlite } from '../../src/storage/connect-sqlite.ts'
import { copySqlite } from '../../src/storage/sqlite-file.ts'
import { newDatabaseFolder } from '../support/database-folder.ts'

/** So short that a connection which waits for another one by blocking would fail. */
const DEADLINES = { readMs: 50, writeMs: 50 }

test('overlapping transactions of two services on one file all succeed', async () => {
  const folder = await newDatabaseFolder('turns')
  const file = join(folder, 'shared.db')
  const connections = [connectSqlite(file, DEADLINES), connectSqlite(file, DEADLINES)] as const
  onTestFinished(async () => {
    for (const { close } of connections) await close()
  })
  const services = connections.map(({ db }) => db)
  const first = connections[0].db
  await sql`create table counter (value integer)`.execute(first)
  await sql`insert into counter values (0)`.execute(first)

  const addInSteps = (db: (typeof services)[number]) =>
    db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ value: number }>`select value from counter`.execute(tx)
      await new Promise((resolve) => setImmediate(resolve))
      await sql`update counter set value = ${(rows[0]?.value ?? 0) + 1}`.execute(tx)
    })
  await Promise.all(Array.from({ length: 20 }, () => services.map(addInSteps)).flat())

  const { rows } = await sql<{ value: number }>`select value from counter`.execute(first)
  expect(rows).toEqual([{ value: 40 }])
})

test('a service that is closed in between leaves the file to the other one', async () => {
  const folder = await newDatabaseFolder('turns')
  const file = join(folder, 'shared.db')
  const [one, other] = [connectSqlite(file, DEADLINES), connectSqlite(file, DEADLINES)]
  await sql`create table notes (text text)`.execute(one.db)
  await one.close()
  await sql`insert into notes values ('still here')`.execute(other.db)
  const { rows } = await sql<{ text: string }>`select text from notes`.execute(other.db)
  expect(rows).toEqual([{ text: 'still here' }])
  await other.close()
})

test.skipIf(platform() === 'win32')(
  'a new file is private, also where a link leads to it, and so is a copy',
  async () => {
    const folder = await newDatabaseFolder('private')
    const [link, file] = [join(folder, 'link.db'), join(folder, 'volume', 'real.db')]
    await symlink('volume/real.db', link)
    await connectSqlite(link, DEADLINES).close()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await connectSqlite(link, DEADLINES).close()
    const copy = join(folder, 'copy.db')
    copySqlite(file, copy)
    expect((await stat(copy)).mode & 0o777).toBe(0o600)
    const loop = join(folder, 'loop.db')
    await symlink('loop.db', loop)
    expect(() => connectSqlite(loop, DEADLINES)).toThrow('ELOOP')
  },
)

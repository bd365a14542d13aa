import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { SECOND } from '../../src/kernel/clock.ts'
import { startAuth } from '../support/start-auth.ts'

test('many who ask whether the service is ready cost one write in a second', async () => {
  const { request, auth, clock } = await startAuth()
  const isReady = async () => (await request.get('/readyz')).status
  const connections = vi.spyOn(auth.connection.urgentDb, 'connection')

  const statuses = await Promise.all(Array.from({ length: 30 }, isReady))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await isReady()).toBe(200)
  expect(connections).toHaveBeenCalledTimes(1)

  clock.advance(SECOND)
  expect(await isReady()).toBe(200)
  expect(connections).toHaveBeenCalledTimes(2)
})

test('a migration that is missing makes it unready, one of a newer version does not', async () => {
  const { request, db, clock } = await startAuth()
  const isReady = async () => (await request.get('/readyz')).status
  const rename = (from: string, to: string) =>
    sql`update latchkey_migrations set name = ${to} where name = ${from}`.execute(db)

  await sql`insert into latchkey_migrations values ('9999-later', '2030-01-01')`.execute(db)
  expect(await isReady()).toBe(200)
  clock.advance(SECOND)
  await rename('0001-accounts', '0001-other')
  expect(await isReady()).toBe(503)

  // Later tests get the same tables.
  await rename('0001-other', '0001-accounts')
  await sql`delete from latchkey_migrations where name = '9999-later'`.execute(db)
})

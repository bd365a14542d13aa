import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { connect } from '../../src/storage/connect.ts'
import { addTables } from '../../src/storage/ready-tables.ts'

// Without neighbours the index is empty at the end.
test.each([0, 2, 100])('the index is sound, and forgets names, beside %i others', async (count) => {
  const connection = connect(resolveSettings({ DATABASE_URL: 'sqlite::memory:' }))
  await addTables(connection)
  const { db } = connection
  const neighbours = Array.from({ length: count }, (_, i) => `neighbour-${(i * 7919) % 1000}`)
  const add = (name: string) =>
    db
      .insertInto('users')
      .values({
        ...{
          username: name,
          username_key: name,
          username_skeleton: null,
          first_name: '',
          last_name: '',
          password: '',
        },
        ...{
          email: '',
          email_key: null,
          email_verified: 0,
          is_active: 1,
          joined_at: 0,
          last_login_at: null,
        },
      })
      .execute()
  const rename = (from: string, to: string) =>
    db.updateTable('users').set({ username_key: to }).where('username_key', '=', from).execute()
  const remove = (name: string) => db.deleteFrom('users').where('username_key', '=', name).execute()
  const trigrams = async () => {
    const { rows } = await sql<{ part: string }>`
      select hex(block) as part from latchkey_search_data`.execute(db)
    const bytes = rows.map(({ part }) => Buffer.from(part, 'hex').toString('latin1')).join()
    return ['zaq', 'aqx', 'qxw', 'wyv', 'yvu'].filter((trigram) => bytes.includes(trigram))
  }

  for (const change of [
    ...neighbours.map((name) => () => add(name)),
    () => add('zaqxw'),
    () => rename('zaqxw', 'wyvu'),
    () => remove('wyvu'),
    ...neighbours.slice(0, 20).map((name) => () => remove(name)),
  ]) {
    await change()
    const { rows } = await sql`pragma integrity_check`.execute(db)
    expect(rows).toEqual([{ integrity_check: 'ok' }])
  }
  expect(await trigrams()).toEqual([])
  await connection.close()
})

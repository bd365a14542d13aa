import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ROTATING } from '../support/jwt.ts'
import { onPostgres } from '../support/postgres.ts'
import { planOf, tablesReadWhole, watchQueries } from '../support/query-plans.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../support/start-auth.ts'

const KEY = 'a-key-for-the-shop-long-enough-to-be-one'
const ADA = { username: 'ada', password: PASSWORD }

/** They have a row per kind of hash, process or host, whatever the number of users. */
const SMALL = ['hash_kinds', 'latchkey_instances', 'event_listeners', 'covered_user_fields']

/** Every query of the work finds its rows by an index. Returns the texts of the queries. */
async function expectIndexes(started: StartedAuth, work: () => Promise<void>): Promise<string[]> {
  const queries = watchQueries(started)
  await work()
  // A sweep may begin meanwhile. It has a test of its own.
  const ofWork = queries.filter(({ sql }) => !/^delete from (event_lines|\S+\s+where \()/.test(sql))
  const seen = new Map(ofWork.map((query) => [query.sql, query]))
  for (const query of seen.values()) {
    const whole = tablesReadWhole(await planOf(started, query), started.auth.connection.engine)
    expect(
      whole.filter((table) => !SMALL.includes(table)),
      query.sql,
    ).toEqual([])
  }
  return [...seen.keys()]
}

test('no request with a token or a session reads a table from one end to the other', async () => {
  const started = await startAuth({ INTROSPECTION_KEY: KEY })
  const { request, createUser, logInBrowser, administration } = started
  await createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const seen = await expectIndexes(started, async () => {
    const signUp = { username: 'grace', email: 'grace@example.com' }
    await request.post('registration/', { ...signUp, password1: PASSWORD, password2: PASSWORD })
    await request.post('login/', { ...ADA, password: 'wrong' })
    const { key: token = '' } = (await request.post('login/', ADA)).body as { key?: string }
    expect(await request.get('user/', { token })).toMatchReply(200, expect.anything())
    expect(await request.get('sessions/', { token })).toMatchReply(200, expect.anything())
    expect((await request.get('account/export/', { token })).status).toBe(200)
    const authorization = `Bearer ${KEY}`
    await request.post('introspect/', { token }, { headers: { authorization } })
    await request.post('password/reset/', { email: 'ada@example.com' })
    const browser = await logInBrowser('ada')
    expect(await browser.get('user/')).toMatchReply(200, expect.anything())
    await administration.named('ada@example.com')
    await administration.list(0, 500)
    await request.post('logout/', {}, { token })
  })
  const tables = ['users', 'tokens', 'logins', 'limits', 'outbox']
  expect(tables.filter((table) => !seen.some((text) => text.includes(`"${table}"`)))).toEqual([])
})

test('no request with a JWT does', async () => {
  const started = await startAuth({
    REST_AUTH: { USE_JWT: true, JWT_AUTH_HTTPONLY: false },
    SIMPLE_JWT: ROTATING,
  })
  const { request, createUser } = started
  await createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const seen = await expectIndexes(started, async () => {
    const { body } = await request.post('login/', ADA)
    const { access, refresh } = body as Record<string, string>
    const headers = { authorization: `Bearer ${access}` }
    expect(await request.get('user/', { headers })).toMatchReply(200, expect.anything())
    expect(await request.post('token/refresh/', { refresh })).toMatchReply(200, expect.anything())
    await request.post('token/verify/', { token: refresh })
  })
  expect(seen.some((text) => text.includes('spent_refresh_tokens'))).toBe(true)
})

test('nor does the deletion of an account', async () => {
  const started = await startAuth({ ACCOUNT: { DELETION: true } })
  const token = await started.createUserWithToken('ada')
  const seen = await expectIndexes(started, async () => {
    const reply = await started.request.post('account/delete/', { password: PASSWORD }, { token })
    expect(reply.status).toBe(200)
  })
  expect(seen.filter((text) => text.startsWith('delete from')).length).toBeGreaterThan(10)
})

test('a page of the users is read in the order of an index, and a search asks an index', async () => {
  const started = await startAuth()
  const { operations } = started.auth.services
  const { engine } = started.auth.connection
  for (const username of ['ada', 'bob', 'eve']) await started.createUser({ username })
  const find = (input: object) =>
    operations.call({ kind: 'host', name: 'test', may: 'all' }, 'users.find', { ...input })
  const queries = watchQueries(started)
  for (const by of ['date_joined', 'last_login', 'username']) {
    for (const sort of [by, `-${by}`]) {
      for (const state of [undefined, 'active']) {
        const { next } = await find({ sort, limit: 1, state })
        await find({ sort, limit: 1, state, after: next })
      }
    }
  }
  expect(queries.length).toBeGreaterThan(20)
  for (const query of queries.filter(({ sql }) => /from users\b[\s\S]*order by/.test(sql))) {
    const plan = await planOf(started, query, ['seqscan', 'sort'])
    expect(plan, query.sql).not.toMatch(/TEMP B-TREE|"Node Type":"Sort"|"Seq Scan"/)
  }

  // The second text has two keys, as an address and as a name.
  for (const [q, keys] of [
    ['eve', 1],
    ['@zürich', 2],
  ] as const) {
    queries.length = 0
    await find({ q })
    const searches = queries.filter(({ sql }) => /latchkey_search|like/.test(sql))
    expect(searches).toHaveLength(1)
    const plan = searches[0] ? await planOf(started, searches[0]) : ''
    const asked = engine === 'sqlite' ? /VIRTUAL TABLE INDEX/g : /users_search/g
    expect(plan.match(asked), q).toHaveLength(keys)
  }
})

test.runIf(onPostgres)('a search reads few users that are not in the index yet', async () => {
  const { db } = await startAuth()
  const { rows } = await sql`select reloptions from pg_class
    where oid = to_regclass('users_search')`.execute(db)
  expect(rows).toEqual([{ reloptions: ['gin_pending_list_limit=64'] }])
})

test.runIf(onPostgres)('a time of use changes no index, and its page has room for it', async () => {
  const { db, createUserWithToken, logInBrowser } = await startAuth()
  await createUserWithToken('ada')
  await logInBrowser('ada')
  for (const table of ['logins', 'tokens'] as const) {
    const { rows } = await sql`select reloptions from pg_class
      where relname = ${table} and relnamespace = current_schema()::regnamespace`.execute(db)
    expect(rows).toEqual([{ reloptions: ['fillfactor=90'] }])
    const updated = await db.transaction().execute(async (trx) => {
      await trx.updateTable(table).set({ last_used_at: 1 }).execute()
      return sql<{ some: boolean; all: boolean }>`
        select n_tup_upd > 0 as some, n_tup_hot_upd = n_tup_upd as all from pg_stat_xact_user_tables
        where schemaname = current_schema() and relname = ${table}`.execute(trx)
    })
    expect(updated.rows).toEqual([{ some: true, all: true }])
  }
})

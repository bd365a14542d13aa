import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { KEY, UNAVAILABLE } from '../../support/answers.ts'
import { startPooler } from '../../support/pooler.ts'
import {
  connectBeside,
  createDatabase,
  onDirectPostgres,
  onPostgres,
  waitersFor,
  waitForWaiter,
} from '../../support/postgres.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'

const credentials = { username: 'ada', password: PASSWORD }
const RETRY = { 'retry-after': expect.stringMatching(/^\d+$/) }

/** The default deadlines. Other tests use longer ones. */
const DEADLINES = { DATABASE_READ_TIMEOUT: '2s', DATABASE_WRITE_TIMEOUT: '5s' }

async function startBehindProxy() {
  const first = await startAuth({}, { shared: true })
  const token = await first.createUserWithToken('ada')
  const proxy = await startTcpProxy(first.settings.DATABASE_URL)
  const settings = { ...DEADLINES, DATABASE_URL: proxy.url }
  const { request } = await startAuth(settings, { beside: first })
  const getUser = () => request.get('user/', { token })
  return { proxy, request, getUser }
}

describe.runIf(onPostgres)('a connection to PostgreSQL', () => {
  test('that the server ends in the middle of a transaction costs that request, and no other', async () => {
    const started = await startAuth({}, { shared: true })
    await started.createUser({ username: 'ada' })
    const operator = await connectBeside(started)
    await operator.query('begin')
    await operator.query('update users set epoch = epoch')
    const waiting = started.request.post('login/', credentials)
    await operator.query('select pg_terminate_backend($1)', [await waitForWaiter(operator)])

    const reply = await waiting
    expect(reply).toMatchReply(503, UNAVAILABLE)
    expect(reply.headers).toMatchObject(RETRY)
    expect(reply.cookies).toEqual([])
    await operator.query('rollback')
    expect(await started.request.post('login/', credentials)).toMatchReply(200, KEY)
  })

  test('keeps no statement with a long list, since each length is another one', async () => {
    const { auth } = await startAuth({}, { shared: true })
    await auth.connection.db.connection().execute(async (one) => {
      const found = async (count: number) => {
        const ids = Array.from({ length: count }, (_, i) => i)
        await one.selectFrom('users').select('id').where('id', 'in', ids).execute()
        const { rows } = await sql`select 1 from pg_prepared_statements
          where statement like 'select "id" from "users"%'`.execute(one)
        return rows.length
      }
      expect([await found(128), await found(129), await found(500)]).toEqual([1, 1, 1])
    })
  })

  test('has deadlines for requests, and none in a transaction of long work', async () => {
    const { auth } = await startAuth(DEADLINES, { shared: true })
    const { db, patientDb } = auth.connection
    const inTransaction = (handle: typeof db) =>
      handle.transaction().execute(async (trx) => {
        const { rows } = await sql<{ name: string; setting: string }>`
          select name, setting from pg_settings
          where name in ('statement_timeout', 'idle_in_transaction_session_timeout')
          order by name desc`.execute(trx)
        return rows.map(({ setting }) => setting)
      })
    expect(await inTransaction(patientDb)).toEqual(['0', '0'])
    expect(await inTransaction(db)).toEqual(['4500', '5000'])
  })

  test('sees in a transaction what others commit, and hears warnings about commits', async () => {
    const { name, url, root } = await createDatabase()
    const defaults = { default_transaction_isolation: 'serializable', client_min_messages: 'error' }
    for (const [setting, value] of Object.entries(defaults)) {
      await root.query(`alter database ${name} set ${setting} = '${value}'`)
    }
    const pooler = await startPooler(url)
    for (const DATABASE_URL of [url, pooler.url]) {
      const { auth } = await startAuth({ DATABASE_URL })
      const { db, patientDb } = auth.connection
      for (const handle of [db, patientDb]) {
        const { rows } = await handle.transaction().execute((trx) =>
          sql`select current_setting('transaction_isolation') as isolation,
            current_setting('client_min_messages') as messages`.execute(trx),
        )
        expect(rows).toEqual([{ isolation: 'read committed', messages: 'warning' }])
      }
    }
  })

  test('that fell silent is thrown away, and with it all that were made before', async () => {
    const { proxy, request, getUser } = await startBehindProxy()
    await Promise.all(Array.from({ length: 10 }, getUser))
    proxy.swallow()
    const lost = await getUser()
    expect(lost).toMatchReply(503, UNAVAILABLE)
    expect(lost.headers).toMatchObject(RETRY)
    for (const reply of await Promise.all(Array.from({ length: 10 }, getUser))) {
      expect(reply.status).toBe(200)
    }
    expect(await request.post('login/', credentials)).toMatchReply(200, KEY)
  })

  test('to a server that stands still is given up, and a new one made when it goes on', async () => {
    const { proxy, request, getUser } = await startBehindProxy()
    await getUser()
    proxy.freeze()
    const replies = await Promise.all([
      ...Array.from({ length: 30 }, getUser),
      request.post('login/', credentials),
      request.get('/readyz'),
    ])
    for (const reply of replies) {
      expect(reply).toMatchReply(503, UNAVAILABLE)
      expect(reply.headers).toMatchObject(RETRY)
    }
    expect((await request.get('/healthz')).status).toBe(200)
    proxy.thaw()
    expect((await getUser()).status).toBe(200)
    expect(await request.post('login/', credentials)).toMatchReply(200, KEY)
    expect((await request.get('/readyz')).status).toBe(200)
  })

  test('is given to the check of readiness before all requests that wait for one', async () => {
    const { request, auth, createUserWithToken } = await startAuth()
    const token = await createUserWithToken('ada')
    let release = () => {}
    const end = new Promise<void>((resolve) => {
      release = resolve
    })
    const held = Array.from({ length: 9 }, () => auth.connection.db.connection().execute(() => end))
    let answered = 0
    const ask = () => request.get('user/', { token }).then(() => answered++)
    const waiting = Array.from({ length: 40 }, ask)
    const { status } = await request.get('/readyz')
    const answeredBefore = answered
    release()
    await Promise.all([...held, ...waiting])
    expect(status).toBe(200)
    expect(answeredBefore).toBeLessThan(20)
  })

  test.runIf(onDirectPostgres)(
    'whose query took too long no longer runs it at the server',
    async () => {
      const started = await startAuth({}, { shared: true })
      await started.createUser({ username: 'ada' })
      const { request } = await startAuth({ ...DEADLINES }, { beside: started })
      const operator = await connectBeside(started)
      await operator.query('begin')
      await operator.query('lock table users')
      expect(await request.post('login/', credentials)).toMatchReply(503, UNAVAILABLE)
      await vi.waitFor(async () => expect(await waitersFor(operator)).toEqual([]), 60_000)
      await operator.query('rollback')
      expect(await request.post('login/', credentials)).toMatchReply(200, KEY)
    },
  )

  test('that the server refuses is an outage, whatever the reason', async () => {
    const { name, url, root } = await createDatabase()
    const { request, createUser } = await startAuth({ DATABASE_URL: url })
    await createUser({ username: 'ada' })
    const allow = (isOn: boolean) => root.query(`alter database ${name} allow_connections ${isOn}`)
    await allow(false)
    await root.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = $1 and application_name = 'latchkey'`,
      [name],
    )
    // The first one may still have a connection that has just been ended.
    for (const login of [1, 2, 3]) {
      const reply = await request.post('login/', credentials)
      expect(reply, `login ${login}`).toMatchReply(503, UNAVAILABLE)
      expect(reply.headers).toMatchObject(RETRY)
    }
    await allow(true)
    expect(await request.post('login/', credentials)).toMatchReply(200, KEY)
  })

  test('goes on when a newer version has added a column', async () => {
    const started = await startAuth({}, { shared: true })
    const token = await started.createUserWithToken('ada')
    const operator = await connectBeside(started)
    const ask = async () => [
      await started.request.get('user/', { token }),
      await started.request.patch('user/', { first_name: 'Ada' }, { token }),
      await started.request.post('login/', credentials),
    ]
    await ask()
    await operator.query('alter table users add column later integer')
    const replies = await ask()
    await operator.query('alter table users drop column later')
    expect([...replies, ...(await ask())].map(({ status }) => status)).toEqual(Array(6).fill(200))
  })
})

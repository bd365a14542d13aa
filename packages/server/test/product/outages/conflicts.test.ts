import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { STRONG, signup, twice } from '../../support/accounts.ts'
import { KEY, UNABLE, UNAVAILABLE } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import { startPooler } from '../../support/pooler.ts'
import { connectBeside, onPostgres, waitForWaiter } from '../../support/postgres.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../../support/start-auth.ts'

const credentials = { username: 'ada', password: PASSWORD }

/** Makes this many transactions fail when they add a row. A sequence also counts rolled back ones. */
async function conflictAt(
  table: 'logins' | 'audit_events' | 'limits',
  { db }: StartedAuth,
  code: string,
  times: number,
  when: 'at once' | 'at the commit' = 'at once',
) {
  const run = (text: string) => sql.raw(text).execute(db)
  await run('create sequence tries')
  await run(`create function conflict() returns trigger language plpgsql as $$ begin
    if nextval('tries') <= ${times} then
      raise 'conflict' using errcode = '${code}';
    end if;
    return new;
  end $$`)
  const [kind, moment] =
    when === 'at once'
      ? ['trigger conflict before insert', '']
      : ['constraint trigger conflict after insert', 'deferrable initially deferred']
  await run(`create ${kind} on ${table} ${moment} for each row execute function conflict()`)
  return {
    async tries() {
      const { rows } = await sql<{ n: number }>`select last_value as n from tries`.execute(db)
      return rows[0]?.n
    },
    async end() {
      await run(`drop trigger conflict on ${table}`)
      await run('drop function conflict')
      await run('drop sequence tries')
    },
  }
}

describe.runIf(onPostgres)('a transaction that PostgreSQL ends for another', () => {
  test.each(['40001', '40P01'])('with %s is tried again, and nobody notices', async (code) => {
    const started = await startAuth()
    await started.createUser({ username: 'ada' })
    const conflict = await conflictAt('logins', started, code, 2)
    const reply = await started.request.post('login/', credentials)
    expect(await conflict.tries()).toBe(3)
    await conflict.end()
    expect(reply).toMatchReply(200, KEY)
    expect(await countRows(started.db, 'logins')).toBe(1)
  })

  test('has happened once, in the log and in the mail, too', async () => {
    const lines: string[] = []
    const started = await startAuth({}, { onLogLine: (line) => lines.push(line) })
    const token = await started.createUserWithToken('ada')
    const conflict = await conflictAt('audit_events', started, '40001', 2)
    const reply = await started.request.post('password/change/', twice(STRONG), { token })
    await conflict.end()
    expect(reply.status).toBe(200)
    expect(lines.filter((line) => line.includes('"password_changed"'))).toHaveLength(1)
    expect(await countRows(started.db, 'audit_events')).toBe(1)
    expect(await countRows(started.db, 'outbox')).toBe(1)
  })

  test('at its commit is tried again, too', async () => {
    const started = await startAuth()
    await started.createUser({ username: 'ada' })
    const conflict = await conflictAt('logins', started, '40001', 2, 'at the commit')
    const reply = await started.request.post('login/', credentials)
    expect(await conflict.tries()).toBe(3)
    await conflict.end()
    expect(reply).toMatchReply(200, KEY)
    expect(await countRows(started.db, 'logins')).toBe(1)
  })

  test('again and again is 503, and nothing has happened', async () => {
    const started = await startAuth()
    await started.createUser({ username: 'ada' })
    const conflict = await conflictAt('logins', started, '40001', 1000)
    const reply = await started.request.post('login/', credentials)
    expect(await conflict.tries()).toBeGreaterThan(5)
    await conflict.end()
    expect(reply).toMatchReply(503, UNAVAILABLE)
    expect(reply.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/) })
    expect(reply.cookies).toEqual([])
    expect(await countRows(started.db, 'logins')).toBe(0)
  })

  test('for a deadlock is tried again once the other is done', async () => {
    const started = await startAuth({}, { shared: true })
    const { id } = await started.createUser({ username: 'ada' })
    const other = await connectBeside(started)
    // So that PostgreSQL never ends this transaction.
    await other.query("set deadlock_timeout = '1h'")
    await other.query('begin')
    await other.query('lock table logins in share mode')
    const login = started.request.post('login/', credentials)
    await waitForWaiter(other)
    await other.query('update users set first_name = $1 where id = $2', ['Ada', id])
    await other.query('commit')

    expect(await login).toMatchReply(200, KEY)
    expect(await countRows(started.db, 'logins')).toBe(1)
    expect(await started.findUser('ada')).toMatchObject({ first_name: 'Ada' })
  })
})

test.runIf(onPostgres)('a single statement that meets a conflict is repeated', async () => {
  const started = await startAuth()
  const conflict = await conflictAt('limits', started, '40001', 2)
  const reply = await started.request.post('login/', credentials)
  expect(await conflict.tries()).toBeGreaterThan(2)
  await conflict.end()
  expect(reply).toMatchReply(400, UNABLE)
})

describe.runIf(onPostgres)('a commit whose outcome is unknown', () => {
  test('is 503, and is not repeated', async () => {
    const started = await startAuth()
    await started.createUser({ username: 'ada' })
    const conflict = await conflictAt('logins', started, '40003', 1, 'at the commit')
    const reply = await started.request.post('login/', credentials)
    expect(await conflict.tries()).toBe(1)
    await conflict.end()
    expect(reply).toMatchReply(503, UNAVAILABLE)
    expect(reply.cookies).toEqual([])
  })

  test('since a synchronous stand-by may lack it is 503, and is not repeated', async () => {
    const first = await startAuth({}, { shared: true })
    await first.createUser({ username: 'ada' })
    const pooler = await startPooler(first.settings.DATABASE_URL)
    const { request } = await startAuth({ DATABASE_URL: pooler.url }, { beside: first })
    pooler.warnOfCommit()
    const reply = await request.post('login/', credentials)
    expect(reply).toMatchReply(503, UNAVAILABLE)
    expect(reply.cookies).toEqual([])
    expect(await countRows(first.db, 'logins')).toBe(1)
    expect(await request.post('login/', credentials)).toMatchReply(200, KEY)
  })

  test.each([
    ['before', 0, 201],
    ['after', 1, 400],
  ] as const)(
    'since the connection was lost %s it is 503, and a second request doubles nothing',
    async (when, rows, then) => {
      const first = await startAuth({}, { shared: true })
      const pooler = await startPooler(first.settings.DATABASE_URL)
      const { request } = await startAuth({ DATABASE_URL: pooler.url }, { beside: first })
      pooler.loseCommit(when)
      expect(await request.post('registration/', signup('ada'))).toMatchReply(503, UNAVAILABLE)
      expect(await countRows(first.db, 'users')).toBe(rows)
      expect((await request.post('registration/', signup('ada'))).status).toBe(then)
      expect(await countRows(first.db, 'users')).toBe(1)
    },
  )
})

test.runIf(onPostgres)('any other warning changes nothing', async () => {
  const started = await startAuth()
  await started.createUser({ username: 'ada' })
  const run = (text: string) => sql.raw(text).execute(started.db)
  await run(`create function warn() returns trigger language plpgsql as $$ begin
    raise warning 'database must be vacuumed soon';
    return new;
  end $$`)
  for (const table of ['limits', 'logins']) {
    await run(`create constraint trigger warn after insert on ${table}
      deferrable initially deferred for each row execute function warn()`)
  }
  const wrong = await started.request.post('login/', { ...credentials, password: STRONG })
  const right = await started.request.post('login/', credentials)
  await run('drop function warn cascade')
  expect(wrong).toMatchReply(400, UNABLE)
  expect(right).toMatchReply(200, KEY)
  expect(await countRows(started.db, 'logins')).toBe(1)
})

test.runIf(onPostgres)('revoking everybody holds one user at a time', async () => {
  const started = await startAuth({}, { shared: true })
  const token = await started.createUserWithToken('ada')
  const { id } = await started.createUser({ username: 'bob' })
  const other = await connectBeside(started)
  await other.query('begin')
  await other.query('update users set first_name = $1 where id = $2', ['Bob', id])
  const revoking = started.administration.revokeAll(() => {})
  await waitForWaiter(other)
  const whileItWaits = await started.request.get('user/', { token })
  expect(whileItWaits.status).toBe(401)
  expect(await started.request.post('login/', credentials)).toMatchReply(200, KEY)
  await other.query('commit')
  expect(await revoking).toBe(2)
})

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { STRONG, twice } from '../../support/accounts.ts'
import { KEY, UNAVAILABLE } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import { connectBeside, onPostgres, waitForWaiter } from '../../support/postgres.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../../support/start-auth.ts'

const credentials = { username: 'ada', password: PASSWORD }

/** Makes this many transactions fail when they add a row. A sequence also counts rolled back ones. */
async function conflictAt(
  table: 'logins' | 'audit_events',
  { db }: StartedAuth,
  code: string,
  times: number,
) {
  const run = (text: string) => sql.raw(text).execute(db)
  await run('create sequence tries')
  await run(`create function conflict() returns trigger language plpgsql as $$ begin
    if nextval('tries') <= ${times} then raise 'conflict' using errcode = '${code}'; end if;
    return new;
  end $$`)
  await run(
    `create trigger conflict before insert on ${table} for each row execute function conflict()`,
  )
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

  test('again and again is 503, and nothing has happened', async () => {
    const started = await startAuth()
    await started.createUser({ username: 'ada' })
    const conflict = await conflictAt('logins', started, '40001', 1000)
    const reply = await started.request.post('login/', credentials)
    expect(await conflict.tries()).toBe(4)
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

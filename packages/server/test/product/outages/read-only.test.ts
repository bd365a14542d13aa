import { rename, rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { MINUTE, SECOND } from '../../../src/kernel/clock.ts'
import { connect } from '../../../src/storage/connect.ts'
import { signup } from '../../support/accounts.ts'
import { createOperatorKey, setUpApp, startAdmin } from '../../support/admin.ts'
import { KEY, UNAVAILABLE } from '../../support/answers.ts'
import { startImpersonation } from '../../support/impersonation.ts'
import { bearer } from '../../support/jwt.ts'
import { connectBeside, createRole, onDirectPostgres, onPostgres } from '../../support/postgres.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const credentials = { username: 'ada', password: PASSWORD }

/** A service beside another one, whose connections are read-only from now on. */
async function startOnStandBy() {
  const first = await startAuth({}, { shared: true })
  const token = await first.createUserWithToken('ada')
  const role = await createRole(first, await connectBeside(first))
  const started = await startAuth({ DATABASE_URL: role.url }, { beside: first })
  const browser = await started.logInBrowser('ada')
  await role.makeReadOnly()
  // Existing connections still work; a fail-over ends them.
  await first.db.executeQuery(
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where usename = ${new URL(role.url).username}`.compile(first.db),
  )
  await vi.waitFor(async () => {
    expect((await started.request.get('user/', { token })).status).toBe(200)
  }, 60_000)
  return { ...started, token, browser, makeWritable: role.makeWritable }
}

test.runIf(onDirectPostgres)(
  'on a stand-by reads go on, the rest is 503, and the next connection finds the new primary',
  async () => {
    const { request, browser, token, clock, makeWritable } = await startOnStandBy()
    expect(await request.get('/readyz')).toMatchReply(503, UNAVAILABLE)
    const reply = await request.post('login/', credentials)
    expect(reply).toMatchReply(503, UNAVAILABLE)
    expect(reply.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/) })
    expect((await request.get('user/', { token })).status).toBe(200)
    clock.advance(MINUTE)
    expect((await browser.get('sessions/')).status).toBe(200)

    await makeWritable()
    // Refused changes make a new connection at most once a second.
    await vi.waitFor(async () => {
      expect(await request.post('login/', credentials)).toMatchReply(200, KEY)
    }, 60_000)
    expect((await request.get('/readyz')).status).toBe(200)
  },
)

test.runIf(onDirectPostgres)(
  'on a database that stays read-only, refused changes leave lookups their connections',
  async () => {
    const { request, token, db } = await startOnStandBy()
    const seen = new Set<unknown>()
    for (let i = 0; i < 40; i++) {
      expect((await request.patch('user/', { first_name: 'Ada' }, { token })).status).toBe(503)
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
      seen.add(rows[0]?.pid)
    }
    expect(seen.size).toBeLessThan(20)
  },
)

/** The system can write the file, but for SQLite it is full or read-only. */
const states = [
  ['is full', 'SQLITE_FULL', 'max_page_count = 1', 'max_page_count = 1000000'],
  ['is read-only', 'SQLITE_READONLY', 'query_only = on', 'query_only = off'],
] as const

describe.skipIf(onPostgres).each(states)('a disk that %s', (_, code, break_, mend) => {
  async function startBroken() {
    const lines: string[] = []
    const started = await startAuth({}, { shared: true, onLogLine: (line) => lines.push(line) })
    const token = await started.createUserWithToken('ada')
    const browser = await started.logInBrowser('ada')
    await sql.raw(`pragma ${break_}`).execute(started.db)
    await fillPages(started)
    const repair = () => sql.raw(`pragma ${mend}`).execute(started.db)
    return { ...started, token, browser, lines, repair }
  }

  /** Writes until the half-empty pages are full, too. */
  async function fillPages({ administration }: Awaited<ReturnType<typeof startAuth>>) {
    const account = { email: '', password: null, verified: false, active: true }
    const fill = async () => {
      for (let i = 0; i < 1000; i++) await administration.create({ ...account, username: `u${i}` })
    }
    await expect(fill()).rejects.toMatchObject({ code })
  }

  test('is answered with 503, also in a transaction, and reads still work', async () => {
    const { request, browser, token, lines, clock, repair } = await startBroken()
    const reply = await request.post('registration/', signup('bob'))
    expect(reply).toMatchReply(503, UNAVAILABLE)
    expect(reply.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/) })
    const said = lines.filter((line) => line.includes('"unavailable"')).join()
    expect(said).toContain(code)
    expect(said).not.toContain('cannot rollback')
    expect((await request.get('user/', { token })).status).toBe(200)
    clock.advance(MINUTE)
    expect((await browser.get('sessions/')).status).toBe(200)

    await repair()
    expect((await request.post('registration/', signup('bob'))).status).toBe(201)
    expect(await request.post('login/', credentials)).toMatchReply(200, KEY)
  })

  test('makes the service not ready, for a reason that only the log tells', async () => {
    const { request, lines, repair, db } = await startBroken()
    expect(await request.get('/readyz')).toMatchReply(503, UNAVAILABLE)
    expect(lines.find((line) => line.includes('not ready'))).toContain(code)
    expect((await request.get('/healthz')).status).toBe(200)

    await repair()
    expect((await request.get('/readyz')).status).toBe(200)
    const { rows } = await sql`select key from limits where key like 'probe%'`.execute(db)
    expect(rows).toEqual([])
  })
})

test.skipIf(onPostgres)('operators and users can read what they last used long ago', async () => {
  const started = await startAdmin({ MFA_REQUIRED: 'all', MFA_GRACE_DAYS: 1 }, { shared: true })
  const { db, clock, request, newVisitor, createOperator, createUserWithToken } = started
  await createOperator('grace')
  const { browser } = await setUpApp(started, 'grace')
  const key = await createOperatorKey(started, ['read'])
  const token = await createUserWithToken('ada')
  await db.updateTable('users').set({ mfa_asked_at: null }).execute()
  clock.advance(MINUTE)
  await sql`pragma query_only = on`.execute(db)

  expect((await browser.get('users/')).status).toBe(200)
  expect((await newVisitor().get('users/', bearer(key))).status).toBe(200)
  expect((await request.get('user/', { token })).status).toBe(200)
})

test.skipIf(onPostgres)('the end of an impersonation is no outage', async () => {
  const { browseAsAda, administration, findUser, db } = await startImpersonation(
    {},
    { shared: true },
  )
  const browser = await browseAsAda()
  await administration.set(await findUser('grace'), { isStaff: false })
  await sql`pragma query_only = on`.execute(db)
  expect((await browser.get('user/')).status).toBe(401)
})

describe.skipIf(onPostgres || process.platform === 'win32')('the file of a running service', () => {
  async function startOnFile() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const started = await startAuth({}, { shared: true })
    await started.auth.start()
    const file = started.settings.DATABASE_URL.slice('sqlite:'.length)
    const signUp = async (username: string) =>
      (await started.request.post('registration/', signup(username))).status
    return { ...started, file, signUp, look: () => vi.advanceTimersByTimeAsync(SECOND) }
  }

  test('is gone: nothing is acknowledged until it is back', async () => {
    const { request, clock, file, signUp, look } = await startOnFile()
    expect(await signUp('ada')).toBe(201)
    await rename(file, `${file}.away`)
    await look()
    expect(await signUp('bob')).toBe(503)
    expect((await request.get('/readyz')).status).toBe(503)

    await rename(`${file}.away`, file)
    expect(await signUp('ada')).toBe(400)
    expect(await signUp('bob')).toBe(201)
    clock.advance(SECOND)
    expect((await request.get('/readyz')).status).toBe(200)
  })

  async function startReplaced() {
    const started = await startOnFile()
    const { db, file, signUp } = started
    expect(await signUp('ada')).toBe(201)
    await sql`vacuum into ${`${file}.backup`}`.execute(db)
    expect(await signUp('bob')).toBe(201)
    await rename(`${file}.backup`, file)
    return started
  }

  test('is replaced without its journal: the new one is used', async () => {
    const { file, signUp, look } = await startReplaced()
    await rm(`${file}-wal`)
    await rm(`${file}-shm`)
    await look()
    expect(await signUp('ada')).toBe(400)
    expect(await signUp('bob')).toBe(201)
  })

  test('is replaced beside its journal: they are not mixed, and a restart uses the new one', async () => {
    const { auth, settings, request, signUp, look } = await startReplaced()
    await look()
    expect(await signUp('eve')).toBe(503)
    expect((await request.get('/readyz')).status).toBe(503)
    await auth.close()

    const { db, close } = connect(settings)
    const users = await db.selectFrom('users').select('username').execute()
    expect(users).toEqual([{ username: 'ada' }])
    expect((await sql`pragma integrity_check`.execute(db)).rows).toEqual([
      { integrity_check: 'ok' },
    ])
    await close()
  })
})

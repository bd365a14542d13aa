import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { signup } from '../../support/accounts.ts'
import { KEY, UNAVAILABLE } from '../../support/answers.ts'
import { connectBeside, createRole, onDirectPostgres, onPostgres } from '../../support/postgres.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const credentials = { username: 'ada', password: PASSWORD }

test.runIf(onDirectPostgres)(
  'on a stand-by reads go on, the rest is 503, and the next connection finds the new primary',
  async () => {
    const first = await startAuth({}, { shared: true })
    const token = await first.createUserWithToken('ada')
    const role = await createRole(first, await connectBeside(first))
    const { request } = await startAuth({ DATABASE_URL: role.url }, { beside: first })
    await role.makeReadOnly()
    // Existing connections still work; a fail-over ends them.
    await first.db.executeQuery(
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where usename = ${new URL(role.url).username}`.compile(first.db),
    )

    await vi.waitFor(async () => {
      expect((await request.get('user/', { token })).status).toBe(200)
    }, 60_000)
    expect(await request.get('/readyz')).toMatchReply(503, UNAVAILABLE)
    const reply = await request.post('login/', credentials)
    expect(reply).toMatchReply(503, UNAVAILABLE)
    expect(reply.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/) })
    expect((await request.get('user/', { token })).status).toBe(200)

    await role.makeWritable()
    expect(await request.post('login/', credentials)).toMatchReply(503, UNAVAILABLE)
    expect(await request.post('login/', credentials)).toMatchReply(200, KEY)
    expect((await request.get('/readyz')).status).toBe(200)
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
    await sql.raw(`pragma ${break_}`).execute(started.db)
    await fillPages(started)
    return { ...started, token, lines, repair: () => sql.raw(`pragma ${mend}`).execute(started.db) }
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
    const { request, token, lines, repair } = await startBroken()
    const reply = await request.post('registration/', signup('bob'))
    expect(reply).toMatchReply(503, UNAVAILABLE)
    expect(reply.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/) })
    const said = lines.filter((line) => line.includes('"unavailable"')).join()
    expect(said).toContain(code)
    expect(said).not.toContain('cannot rollback')
    expect((await request.get('user/', { token })).status).toBe(200)

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

import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { signup } from '../../support/accounts.ts'
import { KEY, UNAVAILABLE } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import { activate, challengeOf, codeOf } from '../../support/mfa.ts'
import { startPooler } from '../../support/pooler.ts'
import { connectBeside, onPostgres } from '../../support/postgres.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const credentials = { username: 'ada', password: PASSWORD }

type Pooling = Parameters<typeof startPooler>[1]

async function startBehindPooler(settings: Record<string, unknown> = {}, pooling?: Pooling) {
  const first = await startAuth({}, { shared: true })
  const pooler = await startPooler(first.settings.DATABASE_URL, pooling)
  const lines: string[] = []
  const given = { DATABASE_URL: pooler.url, ...settings }
  const options = { beside: first, onLogLine: (line: string) => lines.push(line) }
  const second = await startAuth(given, options)
  return { first, pooler, second, lines }
}

describe.runIf(onPostgres)('behind a pooler with two connections', () => {
  test('people register, log in and prove a second factor, many at a time', async () => {
    const { second, first } = await startBehindPooler()
    const names = Array.from({ length: 8 }, (_, n) => `user${n}`)
    const registered = await Promise.all(
      names.map((name) => second.request.post('registration/', signup(name))),
    )
    expect(registered.map(({ status }) => status)).toEqual(names.map(() => 201))
    const token = await second.createUserWithToken('ada')
    const { secret } = await activate(second, token)
    const ephemeral_token = await challengeOf(second, 'ada')
    const proof = { ephemeral_token, code: codeOf(second, secret) }
    const proofs = await Promise.all(names.map(() => second.request.post('mfa/verify/', proof)))
    expect(proofs.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(proofs.filter(({ status }) => status >= 500)).toEqual([])
    expect(await countRows(first.db, 'users')).toBe(9)
    expect(second.auth.connection.pooler()).toBe('transaction')
  })

  test('of many who use a refresh token at once, one gets the next pair', async () => {
    const { second } = await startBehindPooler({ REST_AUTH: { USE_JWT: true } })
    await second.createUser({ username: 'ada' })
    const { body } = await second.request.post('login/', credentials)
    const { refresh } = body as { refresh: string }
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => second.request.post('token/refresh/', { refresh })),
    )
    expect(replies.filter(({ status }) => status >= 500)).toEqual([])
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  })

  test('a wait for a lock ends in time, without a request to cancel, and nothing stays behind', async () => {
    const deadlines = { DATABASE_READ_TIMEOUT: '0.5s', DATABASE_WRITE_TIMEOUT: '1s' }
    const { first, second, pooler } = await startBehindPooler(deadlines)
    await first.createUser({ username: 'ada' })
    const operator = await connectBeside(first)
    await operator.query('begin')
    await operator.query('lock table logins')
    expect(await second.request.post('login/', credentials)).toMatchReply(503, UNAVAILABLE)
    await operator.query('lock table users')
    expect(await second.request.post('login/', credentials)).toMatchReply(503, UNAVAILABLE)
    await operator.query('rollback')
    // With such deadlines, a busy machine alone can make one late.
    await vi.waitFor(async () => {
      expect(await second.request.post('login/', credentials)).toMatchReply(200, KEY)
    }, 20_000)
    expect(pooler.cancels()).toBe(0)
    // A setting that was left behind would hold for other programs.
    const { rows } = await sql`show statement_timeout`.execute(second.db)
    expect(rows).toEqual([{ statement_timeout: '0' }])
  })

  test('where each connection is kept, those who wait get the first that is free', async () => {
    const { first, second } = await startBehindPooler({}, { mode: 'session', isHidden: false })
    const token = await first.createUserWithToken('ada')
    const ask = () => second.request.get('user/', { token })
    const logIn = () => second.request.post('login/', credentials)
    const replies = await Promise.all([...Array.from({ length: 20 }, ask), logIn(), logIn()])
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('a pooler that begins to mix connections costs no request', async () => {
    const { first, second, pooler, lines } = await startBehindPooler(
      {},
      { mode: 'session', size: 12, isHidden: true },
    )
    const token = await first.createUserWithToken('ada')
    const ask = () =>
      Promise.all([
        ...Array.from({ length: 8 }, () => second.request.get('user/', { token })),
        second.request.post('login/', credentials),
        second.request.patch('user/', { first_name: 'Ada' }, { token }),
      ])
    await ask()
    expect(second.auth.connection.pooler()).toBe('none')
    pooler.poolByTransaction()
    const statuses = [...(await ask()), ...(await ask())].map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(second.auth.connection.pooler()).toBe('transaction')
    expect(lines.join()).toContain('pooler')
  })
})

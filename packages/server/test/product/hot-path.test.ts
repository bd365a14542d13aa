import type { CompiledQuery, QueryExecutor } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Statement } from '../../src/storage/statements.ts'
import { bearer, type Pair, ROTATING } from '../support/jwt.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../support/start-auth.ts'

/**
 * The statements of a request, as verb and tables. One that wants more than its first row is marked,
 * and so is a connection that is taken for more than one statement: both cost far more.
 */
function watchDatabase({ db }: StartedAuth) {
  const executor: Partial<QueryExecutor> = db.getExecutor()
  const { executeQuery, provideConnection } = db.getExecutor()
  let seen: string[] = []
  executor.executeQuery = (query) => {
    seen.push(shortOf(query))
    return executeQuery.call(executor, query) as never
  }
  executor.provideConnection = (consume) => {
    seen.push('a connection')
    return provideConnection.call(executor, consume) as never
  }
  onTestFinished(() => {
    delete executor.executeQuery
    delete executor.provideConnection
  })
  return async (request: () => Promise<{ status: number }>): Promise<string[]> => {
    seen = []
    expect((await request()).status).toBe(200)
    // A timer reads this table, whatever the request does.
    return seen.filter((text) => !text.includes('latchkey_instances'))
  }
}

function shortOf(query: CompiledQuery): string {
  const { sql, first } = query as Statement
  const tables = [...sql.matchAll(/(?:from|into|update|join) "?(\w+)"?/g)].map(([, name]) => name)
  return [sql.split(' ')[0], ...tables, ...(first ? [] : ['all rows'])].join(' ')
}

test('each request that comes all the time has its exact number of statements', async () => {
  const started = await startAuth({
    REST_AUTH: { USE_JWT: true, SESSION_LOGIN: true, JWT_AUTH_HTTPONLY: false },
    SIMPLE_JWT: ROTATING,
  })
  const { request, logInBrowser, createUser } = started
  await createUser({ username: 'ada' })
  const browser = await logInBrowser('ada')
  const { body } = await request.post('login/', { username: 'ada', password: PASSWORD })
  const { access, refresh } = body as Pair
  const statementsOf = watchDatabase(started)

  expect(await statementsOf(() => browser.get('user/'))).toEqual(['select logins users'])
  expect(await statementsOf(() => request.get('user/', bearer(access)))).toEqual([
    'select users logins',
  ])
  expect(await statementsOf(() => request.post('token/verify/', { token: access }))).toEqual([])
  expect(await statementsOf(() => request.post('token/refresh/', { refresh }))).toEqual([
    'select users logins',
    'insert spent_refresh_tokens logins spent_refresh_tokens',
  ])
})

test('so has one with an API token', async () => {
  const started = await startAuth()
  const token = await started.createUserWithToken('ada')
  const statementsOf = watchDatabase(started)
  const get = () => started.request.get('user/', { token })
  expect(await statementsOf(get)).toEqual(['select tokens users'])
})

test('with MFA_REQUIRED there is no further statement, once the user was asked', async () => {
  const started = await startAuth({ MFA_REQUIRED: 'all', MFA_GRACE_DAYS: 7 })
  const token = await started.createUserWithToken('ada')
  const browser = await started.logInBrowser('ada')
  const statementsOf = watchDatabase(started)
  const get = () => started.request.get('user/', { token })
  expect(await statementsOf(get)).toEqual(['select totp_authenticators tokens users'])
  expect(await statementsOf(() => browser.get('user/'))).toEqual([
    'select totp_authenticators logins users',
  ])
})

test('a statement of its own takes one step on SQLite, and waits for nothing', async () => {
  const started = await startAuth()
  if (started.auth.connection.engine !== 'sqlite') return
  const then = vi.fn()
  void started.db
    .executeQuery({
      ...started.db.selectFrom('users').select('id').compile(),
      first: true,
    } as never)
    .then(then)
  // The row is there before the first of all waiting promises goes on.
  await Promise.resolve()
  expect(then).toHaveBeenCalledOnce()
})

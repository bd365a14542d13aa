import { expect, test } from 'vitest'
import { createOperatorKey, setUpApp, startAdmin } from '../../support/admin.ts'
import { KEYS } from '../../support/api-keys.ts'
import { identityOf } from '../../support/identities.ts'
import { INVITED } from '../../support/invitations.ts'

const HOST = { kind: 'host', name: 'test', may: 'all' } as const
const FORMULA = '=1+1'

const LISTS = {
  'users/': 'users.csv',
  'users/:pk/tokens/': 'users-tokens.csv',
  'invitations/': 'invitations.csv',
  'audit/': 'audit.csv',
  'mails/': 'mails.csv',
  'events/': 'events.csv',
  'keys/': 'keys.csv',
  'findings/': 'findings.csv',
  'admin-keys/': 'admin-keys.csv',
}

test('every list is also CSV, without secrets and formulas, and no other format', async () => {
  const hooks = { registered: () => {} }
  const started = await startAdmin({ ...KEYS, ...INVITED }, { hooks })
  const { operations, apiKeys } = started.auth.services
  await started.createOperator('grace')
  const { pk } = await operations.call(HOST, 'users.create', {
    username: 'ada',
    email: 'ada@example.com',
    verified: true,
    first_name: FORMULA,
  })
  const ada = await started.findUser('ada')
  const made = { name: FORMULA, scopes: ['orders:read'], expiresAt: null }
  const { secret } = await apiKeys.create(identityOf(ada), made)
  const wanted = { name: FORMULA, scopes: ['read'] }
  const { key } = await operations.call(HOST, 'adminKeys.create', wanted)
  await operations.call(HOST, 'invitations.create', { email: 'bob@example.com', groups: [FORMULA] })
  const secrets = [secret, key, await createOperatorKey(started, ['read'])]
  const { browser } = await setUpApp(started, 'grace')

  const found: Record<string, unknown> = {}
  for (const { method, path } of operations.all) {
    if (method !== 'GET') continue
    const address = path.replace(':pk', String(pk))
    const { results } = (await browser.get(address)).body as { results?: object[] }
    if (!results) continue
    const { status, headers, body } = await browser.get(`${address}?format=csv`)
    expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/csv; charset=utf-8'])
    const lines = String(body).trimEnd().split('\r\n')
    expect(lines, path).toHaveLength(results.length + 1)
    const [first] = results
    const columns = Object.keys(first ?? {}).map((name) => `"${name}"`)
    if (first) expect(lines[0]?.split(','), path).toEqual(columns)
    for (const one of secrets) expect(String(body), path).not.toContain(one)
    expect(String(body), path).not.toMatch(/(^|,)"?=/m)
    const other = await browser.get(`${address}?format=xml`)
    expect([path, other.status, other.body]).toEqual([
      path,
      400,
      { format: ['"xml" is not a valid choice.'] },
    ])
    found[path] = /filename="(.*)"/.exec(String(headers['content-disposition']))?.[1]
  }
  expect(found).toEqual(LISTS)
})

test('the list of users as CSV is an audit row with its reason, and no other list is', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const { browser } = await setUpApp(started, 'grace')
  const rows = () =>
    started.db
      .selectFrom('audit_events')
      .select(['event', 'operator_name', 'address', 'reason'])
      .where('event', 'like', '%exported')
      .execute()
  for (const path of ['users/?reason=x', 'audit/?format=csv', 'users/?format=csv&limit=x']) {
    await browser.get(path)
  }
  const tooLong = await browser.get(`users/?format=csv&reason=${'x'.repeat(501)}`)
  expect([tooLong.status, Object.keys(tooLong.body as object)]).toEqual([400, ['reason']])
  expect(await rows()).toEqual([])
  const { body } = await browser.get('users/?format=csv&reason=Ticket%207')
  expect(body).toMatch(/^"pk",/)
  const by = { event: 'users_exported', operator_name: 'grace', address: '127.0.0.1' }
  expect(await rows()).toEqual([{ ...by, reason: 'Ticket 7' }])
})

test('a key that downloads the list again and again adds ten rows a day, a person one for each', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const { browser } = await setUpApp(started, 'grace')
  const headers = { authorization: `Bearer ${await createOperatorKey(started, ['read'])}` }
  for (let i = 0; i < 12; i++) {
    const { status } = await started.newVisitor().get('users/?format=csv', { headers })
    expect(status).toBe(200)
    await browser.get('users/?format=csv')
  }
  const rows = await started.db
    .selectFrom('audit_events')
    .select(({ fn }) => ['operator_kind', fn.countAll().as('rows'), fn.max('times').as('times')])
    .where('event', '=', 'users_exported')
    .groupBy('operator_kind')
    .orderBy('operator_kind')
    .execute()
  expect(rows.map((row) => [row.operator_kind, Number(row.rows), row.times])).toEqual([
    ['key', 10, 12],
    ['person', 12, 1],
  ])
})

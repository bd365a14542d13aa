import { expect, test } from 'vitest'
import { MINUTE } from '../../../src/kernel/clock.ts'
import {
  type AdminBrowser,
  createOperatorKey,
  type StartedAdmin,
  sent,
  setUpApp,
  startAdmin,
} from '../../support/admin.ts'
import { activate } from '../../support/mfa.ts'

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

test('superusers with a recent proof make and revoke keys, and nobody else does', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  await started.createOperator('sam', { staff: true })
  const { browser: staff } = await setUpApp(started, 'sam')
  const { browser } = await setUpApp(started, 'grace')
  const key = { name: 'billing', scopes: ['read'], expires: '1d' }
  const made = await browser.post('admin-keys/', key, sent(browser))
  expect(made.status).toBe(201)
  const { id, key: secret } = made.body as { id: number; key: string }
  const everything = await createOperatorKey(started, ['read', 'audit', 'mails', 'users'])
  expect((await browser.get('users/', bearer(secret))).status).toBe(200)

  const others: [AdminBrowser, ReturnType<typeof sent>][] = [
    [staff, sent(staff)],
    [started.newVisitor(), bearer(everything)],
  ]
  for (const [other, options] of others) {
    const refused = [
      await other.get('admin-keys/', options),
      await other.post('admin-keys/', key, options),
      await other.delete(`admin-keys/${id}/`, options),
    ]
    for (const reply of refused) {
      expect([reply.status, reply.body]).toMatchObject([403, { code: 'not_allowed' }])
    }
  }
  for (const wrong of [{ scopes: [] }, { scopes: ['all'] }, { scopes: 'read' }, { name: '' }]) {
    const reply = await browser.post('admin-keys/', { ...key, ...wrong }, sent(browser))
    expect([reply.status, Object.keys(reply.body as object)]).toEqual([400, Object.keys(wrong)])
  }
  for (const [expires, words] of [
    ['2001-01-01', 'Choose a time in the future.'],
    ['2001-01-01T12:00Z', 'Choose a time in the future.'],
    ['0d', 'Choose a time in the future.'],
    ['soon', expect.stringMatching(/^Datetime has wrong format/)],
    ['2001-02-30', expect.stringMatching(/^Datetime has wrong format/)],
  ]) {
    const reply = await browser.post('admin-keys/', { ...key, expires }, sent(browser))
    expect([expires, reply.status, reply.body]).toEqual([expires, 400, { expires: [words] }])
  }
  const allWrong = { name: '', scopes: ['foo'], expires: '2001-01-01' }
  const told = await browser.post('admin-keys/', allWrong, sent(browser))
  expect([told.status, Object.keys(told.body as object)]).toEqual([400, Object.keys(allWrong)])
  started.clock.advance(5 * MINUTE)
  const stale = await browser.delete(`admin-keys/${id}/`, sent(browser))
  expect(stale.body).toMatchObject({ code: 'reauthentication_required' })
  const late = await browser.post('admin-keys/', key, sent(browser))
  expect(late.body).toMatchObject({ code: 'reauthentication_required' })
  expect((await started.newVisitor().get('users/', bearer(secret))).status).toBe(200)
})

test('a revoked key is refused at once, and both ends are in the audit', async () => {
  const started = await startAdmin()
  const grace = await started.createOperator('grace')
  const { browser } = await setUpApp(started, 'grace')
  const key = { name: 'billing', scopes: ['read'] }
  const { body } = await browser.post('admin-keys/', key, sent(browser))
  const { id, key: secret } = body as { id: number; key: string }
  expect((await browser.delete(`admin-keys/${id}/`, sent(browser))).status).toBe(204)
  expect((await browser.delete(`admin-keys/${id}/`, sent(browser))).status).toBe(404)
  expect((await started.newVisitor().get('users/', bearer(secret))).status).toBe(401)
  const { results } = (await browser.get('audit/')).body as { results: { event: string }[] }
  expect(results.filter(({ event }) => event.startsWith('admin_key'))).toMatchObject([
    { event: 'admin_key_revoked', operator: { kind: 'person', pk: String(grace.id) } },
    { event: 'admin_key_created', operator: { kind: 'person', name: 'grace' } },
  ])
})

test('a cursor that is forged, foreign or of another search is a field error', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  for (const username of ['ada', 'eve']) await started.createUser({ username })
  const { browser } = await setUpApp(started, 'grace')
  const nextOf = async (path: string) => ((await browser.get(path)).body as { next: string }).next
  const cursor = await nextOf('users/?limit=1')
  const ofAudit = await nextOf('audit/?limit=1')
  expect((await browser.get(`users/?limit=1&after=${cursor}`)).status).toBe(200)
  const middle = cursor.length >> 1
  const changed = cursor[middle] === 'A' ? 'B' : 'A'
  const wrong = [
    `users/?after=${cursor.slice(0, middle)}${changed}${cursor.slice(middle + 1)}`,
    `users/?after=${cursor.slice(0, -1)}`,
    `users/?after=${ofAudit}`,
    `users/?sort=username&after=${cursor}`,
    `users/?q=a&after=${cursor}`,
    `users/?state=active&after=${cursor}`,
    `users/?format=csv&q=a&after=${cursor}`,
    `audit/?after=${cursor}`,
    `audit/?event=x&after=${ofAudit}`,
    ...['mails/', 'events/', 'audit/'].map((list) => `${list}?after=${cursor}`),
    ...['', '1', '%00', '[1]', 'null', 'x'.repeat(3000)].map((text) => `users/?after=${text}`),
    `users/?after=${cursor}&after=${cursor}`,
  ]
  for (const path of wrong) {
    const reply = await browser.get(path)
    expect([path, reply.status, Object.keys(reply.body as object)]).toEqual([path, 400, ['after']])
  }
})

/** Everything that changes one user. */
const CHANGES: [verb: string, body: object][] = [
  ['deactivate/', {}],
  ['activate/', {}],
  ['end-logins/', {}],
  ['set-password/', { password: 'Nn-5566-yy-lantern' }],
  ['send-reset/', {}],
  ['mark-verified/', {}],
  ['reset-mfa/', {}],
]

test('staff change neither staff nor superusers, nobody changes equals, and nobody their own flags', async () => {
  const started = await startAdmin()
  const users = {
    grace: await started.createOperator('grace'),
    rita: await started.createOperator('rita'),
    sam: await started.createOperator('sam', { staff: true }),
    sue: await started.createOperator('sue', { staff: true }),
    ada: await started.createUser({ username: 'ada', email: 'ada@example.com' }),
  }
  const before = await started.db.selectFrom('users').selectAll().orderBy('id').execute()
  const { browser: sam } = await setUpApp(started, 'sam')
  const { browser: grace } = await setUpApp(started, 'grace')
  const above: [AdminBrowser, keyof typeof users][] = [
    [sam, 'sue'],
    [sam, 'grace'],
    [grace, 'rita'],
  ]
  for (const [browser, name] of above) {
    const { id } = users[name]
    const replies = [
      await browser.patch(`users/${id}/`, { first_name: 'X' }, sent(browser)),
      await browser.patch(`users/${id}/`, { is_superuser: false }, sent(browser)),
      await browser.delete(`users/${id}/`, sent(browser)),
    ]
    for (const [verb, body] of CHANGES) {
      replies.push(await browser.post(`users/${id}/${verb}`, body, sent(browser)))
    }
    for (const [index, reply] of replies.entries()) {
      expect([name, index, reply.status], JSON.stringify(reply.body)).toEqual([name, index, 403])
      expect(['equal_or_above', 'not_allowed']).toContain((reply.body as { code: string }).code)
    }
    expect((await browser.get(`users/${id}/`)).status).toBe(200)
  }
  const own: [AdminBrowser, number, object][] = [
    [sam, users.sam.id, { is_superuser: true }],
    [sam, users.sam.id, { is_staff: false }],
    [sam, users.ada.id, { is_staff: true }],
    [sam, users.ada.id, { groups: ['editors'] }],
    [grace, users.grace.id, { is_staff: true }],
    [grace, users.grace.id, { is_superuser: false }],
  ]
  for (const [browser, id, change] of own) {
    const reply = await browser.patch(`users/${id}/`, change, sent(browser))
    expect(reply.status, JSON.stringify(change)).toBe(403)
  }
  for (const reply of [
    await grace.delete(`users/${users.grace.id}/`, sent(grace)),
    await grace.post(`users/${users.grace.id}/deactivate/`, {}, sent(grace)),
  ]) {
    expect([reply.status, reply.body]).toMatchObject([403, { code: 'own_account' }])
  }
  const flags = await started.db.selectFrom('users').selectAll().orderBy('id').execute()
  const of = (rows: typeof before) =>
    rows.map((row) => [row.id, row.is_staff, row.is_superuser, row.is_active, row.password])
  expect(of(flags)).toEqual(of(before))
})

/** Texts of these tables that are long enough to be a secret or its digest. */
async function storedSecrets({ db }: StartedAdmin): Promise<string[]> {
  const tables = [
    'tokens',
    'admin_sessions',
    'admin_keys',
    'recovery_codes',
    'totp_authenticators',
  ] as const
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()))
  const values = rows.flat().flatMap((row): unknown[] => Object.values(row))
  return values.flatMap((value) => (typeof value === 'string' && value.length > 30 ? [value] : []))
}

test('no answer to a GET, and no CSV, contains a secret or the digest of one', async () => {
  const started = await startAdmin()
  const grace = await started.createOperator('grace')
  const token = await started.createUserWithToken('ada')
  const { secret, codes } = await activate(started, token)
  await started.logInBrowser('ada')
  const ada = await started.findUser('ada')
  const key = await createOperatorKey(started, ['read'])
  const { browser, secret: ownSecret } = await setUpApp(started, 'grace')
  await browser.post(`users/${ada.id}/send-reset/`, { reason: 'Ticket' }, sent(browser))
  const canaries = [
    ...[token, secret, ownSecret, key, browser.cookie('latchkey_admin')],
    ...[ada.password, grace.password, started.auth.settings.SECRET_KEY ?? ''],
    ...codes,
    ...(await storedSecrets(started)),
  ]
  expect(canaries.length).toBeGreaterThan(20)
  expect(canaries.every((canary) => canary.length > 8)).toBe(true)

  const reads = started.admin.endpoints.filter(
    ({ method, path }) => method === 'GET' && !path.startsWith('mfa/'),
  )
  expect(reads.length).toBeGreaterThan(10)
  for (const { path } of reads) {
    for (const pk of [ada.id, grace.id]) {
      for (const query of ['', '?format=csv']) {
        const { body, status } = await browser.get(`${path.replace(/:\w+/, String(pk))}${query}`)
        // Only lists have CSV.
        expect([path, status]).toEqual([path, query === '' || status !== 400 ? 200 : 400])
        const text = JSON.stringify(body) ?? ''
        for (const canary of canaries) expect(text, path).not.toContain(canary)
      }
    }
  }
})

import { expect, test } from 'vitest'
import { MINUTE } from '../../../src/kernel/clock.ts'
import { createOperatorKey, sent, setUpApp, startAdmin } from '../../support/admin.ts'
import { INVITED } from '../../support/invitations.ts'
import { codeOf } from '../../support/mfa.ts'
import { turnsDuring } from '../../support/turns.ts'

const STALE = { detail: 'Recent authentication is required.', code: 'reauthentication_required' }

test('a superuser finds, shows and changes users', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const ada = await started.createUser({ username: 'ada', email: 'ada@example.com' })
  const { browser } = await setUpApp(started, 'grace')

  const found = await browser.get('users/?q=ADA&limit=10')
  expect(found.body).toMatchObject({
    results: expect.arrayContaining([expect.objectContaining({ pk: ada.id, username: 'ada' })]),
  })
  const shown = await browser.get(`users/${ada.id}/`)
  expect(shown.body).toMatchObject({ username: 'ada', is_active: true })
  const off = await browser.post(`users/${ada.id}/deactivate/`, { reason: 'Spam' }, sent(browser))
  expect(off.status, JSON.stringify(off.body)).toBe(200)
  expect((await browser.get(`users/${ada.id}/`)).body).toMatchObject({ is_active: false })
  const made = await browser.post('users/', { username: 'linus' }, sent(browser))
  expect(made.status).toBe(201)
  const changed = await browser.patch(`users/${ada.id}/`, { first_name: 'Ada' }, sent(browser))
  expect(changed.body).toMatchObject({ first_name: 'Ada' })
})

test('a change wants a proof of the last five minutes, and looking wants none', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const ada = await started.createUser({ username: 'ada' })
  const { browser, secret } = await setUpApp(started, 'grace')
  started.clock.advance(5 * MINUTE)
  const refused = await browser.post(`users/${ada.id}/deactivate/`, {}, sent(browser))
  expect(refused).toMatchReply(403, STALE)
  expect((await started.findUser('ada')).is_active).toBe(1)
  expect((await browser.get('users/')).status).toBe(200)
  const proof = { code: codeOf(started, secret) }
  expect((await browser.post('reauthenticate/', proof, sent(browser))).status).toBe(200)
  const done = await browser.post(`users/${ada.id}/deactivate/`, {}, sent(browser))
  expect(done.status).toBe(200)
})

test('without a second factor, and without a login, nothing is answered', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const browser = started.newVisitor()
  await browser.post('login/', { username: 'grace', password: 'correct horse battery staple' })
  for (const one of started.auth.services.operations.all) {
    const path = one.path.replace(/:\w+/g, '1')
    const options = { headers: sent(browser).headers ?? {} }
    const setup = await browser.call(one.method, path, undefined, options)
    expect(setup.status, one.name).toBe(403)
    expect(setup.body, one.name).toMatchObject({ code: 'mfa_setup_required' })
    const stranger = await started.newVisitor().call(one.method, path)
    expect(stranger.status, one.name).toBe(401)
    expect(stranger.headers['www-authenticate']).toBe('Bearer realm="api"')
  }
})

test('a key does what its scopes say, to ordinary users, and nothing else', async () => {
  const started = await startAdmin()
  const grace = await started.createOperator('grace')
  const ada = await started.createUser({ username: 'ada' })
  const scopes = ['read', 'audit', 'mails', 'users'] as const
  const program = started.newVisitor()
  const keys = new Map<string, string>()
  for (const scope of scopes) keys.set(scope, await createOperatorKey(started, [scope]))

  for (const one of started.auth.services.operations.all) {
    for (const [scope, key] of keys) {
      if (one.scope === scope) continue
      const headers = { authorization: `Bearer ${key}` }
      // Nobody has this pk: the scope is refused before anybody is looked for.
      const path = one.path.replace(/:\w+/g, '999999')
      const reply = await program.call(one.method, path, undefined, { headers })
      const code = one.scope === null ? 'not_allowed' : 'scope_missing'
      expect(reply.status, `${one.name} ${scope}`).toBe(403)
      expect(reply.body, `${one.name} ${scope}`).toMatchObject({ code })
    }
  }
  const headers = { authorization: `bearer ${keys.get('users')}` }
  const off = (pk: number) => program.post(`users/${pk}/deactivate/`, {}, { headers })
  expect((await off(ada.id)).status).toBe(200)
  expect((await off(grace.id)).body).toMatchObject({ code: 'equal_or_above' })
  for (const path of ['session/', 'reauthenticate/', 'mfa/totp/activate/']) {
    const reply = await program.call(path === 'reauthenticate/' ? 'POST' : 'GET', path, undefined, {
      headers,
    })
    expect(reply.status, path).toBe(403)
  }
})

test('an expired, revoked or unknown key is refused, and only a digest is stored', async () => {
  const started = await startAdmin()
  const program = started.newVisitor()
  const look = (key: string) =>
    program.get('users/', { headers: { authorization: `Bearer ${key}` } })
  const key = await createOperatorKey(started, ['read'], started.clock.now() + MINUTE)
  expect((await look(key)).status).toBe(200)
  const [row] = await started.db.selectFrom('admin_keys').selectAll().execute()
  expect(JSON.stringify(row)).not.toContain(key.slice(-20))
  expect(row?.last_used_at).toBe(started.clock.now())
  started.clock.advance(MINUTE)
  const INVALID = { detail: 'Invalid admin key.' }
  for (const wrong of [key, 'lkadmin_unknown', '', 'x'.repeat(4000)]) {
    expect(await look(wrong)).toMatchReply(401, INVALID)
  }
  expect(
    (await started.request.get('user/', { headers: { authorization: `Bearer ${key}` } })).status,
  ).toBe(401)
})

test('people set passwords by the rules', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const { id, password } = await started.createUser({ username: 'ada' })
  const { browser } = await setUpApp(started, 'grace')
  const weak = { password: ['This password is too short. It must contain at least 8 characters.'] }
  const given = { password: 'x5-k' }
  const set = await browser.post(`users/${id}/set-password/`, given, sent(browser))
  expect(set).toMatchReply(400, weak)
  const made = await browser.post('users/', { username: 'eve', ...given }, sent(browser))
  expect(made).toMatchReply(400, weak)
  expect((await started.findUser('ada')).password).toBe(password)
  await expect(started.findUser('eve')).rejects.toThrow()
})

test('a unique value of another user is refused under its name, as the document says', async () => {
  const started = await startAdmin({ USER_FIELDS: { phone: { type: 'string', unique: true } } })
  await started.createOperator('grace')
  const ada = await started.createUser({ username: 'ada' })
  const { browser } = await setUpApp(started, 'grace')
  const fields = { phone: '1' }
  const made = await browser.post('users/', { username: 'bob', fields }, sent(browser))
  expect(made.status).toBe(201)
  const taken = { phone: ['This field must be unique.'] }
  const again = await browser.post('users/', { username: 'eve', fields }, sent(browser))
  expect(again).toMatchReply(400, taken)
  const changed = await browser.patch(`users/${ada.id}/`, { fields }, sent(browser))
  expect(changed).toMatchReply(400, taken)

  type Operation = { responses: { 400: { content: Record<string, { examples: object }> } } }
  const { body, headers } = await browser.get('openapi.json')
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' })
  const { paths } = body as { paths: Record<string, Record<string, Operation>> }
  for (const operation of [paths['/users/']?.post, paths['/users/{pk}/']?.patch]) {
    const examples = operation?.responses[400].content['application/json']?.examples ?? {}
    expect(Object.values(examples)).toContainEqual({ value: taken })
  }
})

test('an invitation is not sent again to an address that a user has by now', async () => {
  const started = await startAdmin(INVITED)
  await started.createOperator('grace')
  const { browser } = await setUpApp(started, 'grace')
  const made = await browser.post('invitations/', { email: 'ada@example.com' }, sent(browser))
  const { id } = made.body as { id: number }
  await started.createUser({ username: 'ada', email: 'ada@example.com' })
  const again = await browser.post(`invitations/${id}/resend/`, {}, sent(browser))
  expect(again).toMatchReply(400, { email: [expect.stringMatching(/already/)] })
  for (const wrong of ['0', 'x', '99999999999', 'x'.repeat(21)]) {
    const reply = await browser.post(`invitations/${wrong}/resend/`, {}, sent(browser))
    expect(reply.status, wrong).toBe(404)
  }
})

test('wrong input is a field error, and nothing is a 5xx', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const { browser } = await setUpApp(started, 'grace')
  const wrong: [string, string][] = [
    ['users/?state=gone', 'state'],
    ['users/?sort=password', 'sort'],
    ['users/?limit=0', 'limit'],
    ['users/?limit=201', 'limit'],
    ['users/?limit=x', 'limit'],
    ['users/?since=yesterday', 'since'],
    ['users/?format=xml', 'format'],
    ['users/?q=a&q=b', 'q'],
  ]
  for (const [path, field] of wrong) {
    const reply = await browser.get(path)
    expect(reply.status, path).toBe(400)
    expect(Object.keys(reply.body as object), path).toEqual([field])
  }
  expect((await browser.get('users/%00/')).status).toBe(404)
  expect((await browser.get('users/99999999999999999999/')).status).toBe(404)
  for (const body of [[], 'text', 1, null, { first_name: {} }, { groups: { a: 1 } }]) {
    const options = sent(browser, { 'content-type': 'application/json' })
    const reply = await browser.patch('users/1/', JSON.stringify(body), options)
    expect(reply.status, JSON.stringify(body)).toBe(400)
  }
})

test('CSV has the same columns, and no cell that a spreadsheet would run', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const { users } = started.auth.services
  const eve = await started.createUser({ username: 'eve' })
  await users.change(eve, { first_name: '=cmd|"/C calc"!A0', last_name: '@x' })
  const { browser } = await setUpApp(started, 'grace')
  const reply = await browser.get('users/?format=csv')
  expect(reply.status).toBe(200)
  expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
  const lines = String(reply.body).trim().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toContain('"username"')
  expect(reply.body).toContain(`"'=cmd|""/C calc""!A0","'@x"`)
})

/** A service with 1201 users, whose list has seven pages. */
async function startWithMany() {
  const started = await startAdmin()
  const { adminApp, db } = started
  const { id: _, ...like } = await started.createUser({ username: 'ada' })
  const rows = Array.from({ length: 1200 }, (__, n) => ({ ...like, username_key: `user ${n}` }))
  for (let n = 0; n < rows.length; n += 300) {
    const some = rows.slice(n, n + 300)
    await db.insertInto('users').values(some).execute()
  }
  const key = await createOperatorKey(started, ['read'])

  /** The lines of a download, at whose beginning something happens. */
  async function download(headers: Record<string, string>, meanwhile?: () => Promise<unknown>) {
    const url = '/admin/api/users/?format=csv'
    const reply = await adminApp.inject({ url, headers, payloadAsStream: true })
    let text = ''
    for await (const chunk of reply.stream()) {
      if (text === '') await meanwhile?.()
      text += chunk
    }
    return text.trim().split('\r\n').length
  }
  return { ...started, download, byKey: { authorization: `Bearer ${key}` } }
}

test('other requests run between the pages of a CSV', async () => {
  const { download, byKey } = await startWithMany()
  let lines = 0
  const turns = await turnsDuring(async () => {
    lines = await download(byKey)
  })
  expect(lines).toBe(1202)
  expect(turns).toBeGreaterThanOrEqual(6)
})

test('CSV ends with the session or the key', async () => {
  const started = await startWithMany()
  const { db, download, byKey } = started
  await started.createOperator('grace')
  const { browser } = await setUpApp(started, 'grace')
  const credentials = [
    ['admin_sessions', { cookie: `latchkey_admin=${browser.cookie('latchkey_admin')}` }],
    ['admin_keys', byKey],
  ] as const
  for (const [table, headers] of credentials) {
    expect(await download(headers)).toBe(1203)
    const broken = download(headers, () => db.deleteFrom(table).execute())
    await expect(broken, table).rejects.toThrow()
  }
})

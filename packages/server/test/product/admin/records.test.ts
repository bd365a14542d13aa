import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { DAY } from '../../../src/kernel/clock.ts'
import { logInAdmin, passwordOf, sent, setUpApp, startAdmin } from '../../support/admin.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const HOST = { kind: 'host', name: 'support', may: 'all' } as const

type Row = { event: string; user: number | null; operator: object | null; reason: string | null }
type Page<T> = { results: T[]; next: string | null }

test('the audit is found by user, operator, event and time, page by page', async () => {
  const { auth, clock, createUser } = await startAuth()
  const { operations } = auth.services
  const find = async (input: object) =>
    (await operations.call(HOST, 'audit.find', { ...input })) as unknown as Page<Row>
  const [ada, bob] = [await createUser({ username: 'ada' }), await createUser({ username: 'bob' })]
  const sam = await createUser({ username: 'sam' })
  const person = { kind: 'person', name: 'sam', pk: sam.id, id: sam.id, may: 'staff' } as const
  await operations.call(HOST, 'users.update', { pk: sam.id, is_staff: true })
  await operations.call(person, 'users.deactivate', { pk: ada.id, reason: 'Ticket 7' })
  const since = new Date(clock.now() + DAY)
  clock.advance(2 * DAY)
  for (let i = 0; i < 3; i++) await operations.call(HOST, 'users.activate', { pk: bob.id })

  const events = async (input: object) => (await find(input)).results.map(({ event }) => event)
  expect(await events({ user: ada.id })).toEqual(['user_deactivated'])
  expect(await events({ operator: 'sam' })).toEqual(['user_deactivated'])
  expect(await events({ operator: String(sam.id) })).toEqual(['user_deactivated'])
  expect(await events({ operator: 'host', event: 'user_changed' })).toEqual(['user_changed'])
  expect(await events({ since })).toEqual(Array(3).fill('user_activated'))
  expect(await events({ until: since })).toEqual(['user_deactivated', 'user_changed'])
  const first = await find({ limit: 4 })
  const rest = await find({ limit: 4, after: first.next })
  expect([first.results.length, rest.results.length, rest.next]).toEqual([4, 1, null])
  await expect(find({ limit: 4, after: first.next, user: ada.id })).rejects.toMatchObject({
    status: 400,
    body: { after: [{ code: 'invalid_cursor' }] },
  })

  // Rows about keys and retries are about nobody.
  await operations.call(HOST, 'adminKeys.create', { name: 'sync', scopes: ['read'] })
  const unknown = ['0', '-1', 'nobody', '999', '7f3c1f6e-0000-4000-8000-000000000000']
  for (const user of unknown) expect(await events({ user })).toEqual([])

  // Of a deleted operator the pk and the kind stay.
  await operations.call(HOST, 'users.delete', { pk: sam.id })
  expect((await find({ user: ada.id })).results[0]).toMatchObject({
    user: ada.id,
    operator: { kind: 'person', pk: String(sam.id), name: null },
    reason: 'Ticket 7',
  })
  expect(await events({ user: sam.id })).toEqual(['user_deleted'])
})

test('mails wait in a list, and are tried again', async () => {
  const { auth, createUser, clock } = await startAuth()
  const { operations } = auth.services
  for (const name of ['ada', 'bob']) {
    const { id: pk } = await createUser({ username: name, email: `${name}@example.com` })
    await operations.call(HOST, 'users.sendReset', { pk })
    clock.advance(1000)
  }
  type Mail = { id: string; to: string; letter: string }
  const list = async (input: object) =>
    (await operations.call(HOST, 'mails.list', { ...input })) as unknown as Page<Mail>
  const first = await list({ limit: 1 })
  expect(first.results).toMatchObject([{ to: 'ada@example.com', letter: 'reset-password' }])
  const second = await list({ limit: 1, after: first.next })
  expect(second).toMatchObject({ results: [{ to: 'bob@example.com' }], next: null })
  const id = first.results[0]?.id
  expect(await operations.call(HOST, 'mails.retry', { id })).toEqual({ retried: 1 })
  expect(await operations.call(HOST, 'mails.retry', { id: 'all' })).toEqual({ retried: 2 })
  await expect(operations.call(HOST, 'mails.retry', { id: 'x' })).rejects.toMatchObject({
    status: 404,
  })
  expect(await operations.call(HOST, 'events.list', {})).toEqual({ results: [], next: null })
})

test('nothing is tried again without its audit row, or by somebody who was demoted', async () => {
  const { auth, createUser, clock, db } = await startAuth()
  const { operations } = auth.services
  const { id: pk } = await createUser({ username: 'ada', email: 'ada@example.com' })
  await operations.call(HOST, 'users.sendReset', { pk })
  const dueAt = () => db.selectFrom('outbox').select('due_at').execute()
  const before = await dueAt()
  clock.advance(1000)

  const demoted = { kind: 'person', name: 'ada', pk, id: pk, may: 'staff' } as const
  const late = operations.call(demoted, 'mails.retry', { id: 'all' })
  await expect(late).rejects.toMatchObject({ message: 'not_allowed' })
  expect(await dueAt()).toEqual(before)

  await sql`alter table audit_events rename to elsewhere`.execute(db)
  onTestFinished(async () => {
    await sql`alter table elsewhere rename to audit_events`.execute(db)
  })
  await expect(operations.call(HOST, 'mails.retry', { id: 'all' })).rejects.toThrow('audit_events')
  expect(await dueAt()).toEqual(before)
})

test('figures count by day, and keys and findings show no value', async () => {
  const { auth, request, createUser, clock, settings } = await startAuth()
  const { operations } = auth.services
  await createUser({ username: 'ada' })
  await request.post('login/', { username: 'ada', password: 'wrong' })
  await request.post('login/', { username: 'ada', password: PASSWORD })
  await operations.call(HOST, 'figures.show', {})
  clock.advance(DAY)
  await operations.call(HOST, 'users.create', { username: 'bob' })
  const figures = (await operations.call(HOST, 'figures.show', {})) as {
    users: number
    days: object[]
  }
  expect(figures.users).toBe(2)
  expect(figures.days).toHaveLength(30)
  expect(figures.days.slice(-2)).toEqual([
    { day: '2030-01-01', sign_ups: 0, logins: 1, failures: 1 },
    { day: '2030-01-02', sign_ups: 1, logins: 0, failures: 0 },
  ])
  const keys = (await operations.call(HOST, 'keys.list', {})) as unknown as Page<object>
  expect(keys.results).toContainEqual(expect.objectContaining({ use: 'seals' }))
  const findings = (await operations.call(HOST, 'findings.list', {})) as unknown as Page<object>
  expect(findings.results.length).toBeGreaterThan(0)
  expect(JSON.stringify([keys, findings])).not.toContain(settings.SECRET_KEY)
})

test('figures are shown while the database is copied, and nothing that was counted is lost', async () => {
  const { auth, request, clock } = await startAuth()
  const { operations, connection } = { ...auth.services, connection: auth.connection }
  const lastDays = async () => {
    const { days } = await operations.call(HOST, 'figures.show', {})
    return days.slice(-2).map(({ failures }) => failures)
  }
  await request.post('login/', { username: 'ada', password: 'wrong' })
  onTestFinished(() => {
    connection.freeze.isOn = false
  })
  connection.freeze.isOn = true
  expect(await lastDays()).toEqual([0, 1])
  clock.advance(DAY)
  expect(await lastDays()).toEqual([1, 0])
  connection.freeze.isOn = false
  await request.post('login/', { username: 'ada', password: 'wrong' })
  for (let n = 0; n < 2; n++) expect(await lastDays()).toEqual([1, 1])
})

test('an operator with a UUID is found by every spelling of it', async () => {
  const { auth, createUser, db } = await startAuth({ USER_PK: 'uuid' })
  const { operations } = auth.services
  const [sam, ada] = [await createUser({ username: 'sam' }), await createUser({ username: 'ada' })]
  await db.updateTable('users').set({ is_staff: 1 }).where('id', '=', sam.id).execute()
  const pk = sam.uuid ?? ''
  const person = { kind: 'person', name: 'sam', pk, id: sam.id, may: 'staff' } as const
  await operations.call(person, 'users.deactivate', { pk: ada.uuid })
  for (const operator of [pk, pk.toUpperCase(), pk.replaceAll('-', '')]) {
    const { results } = await operations.call(HOST, 'audit.find', { operator })
    expect(results, operator).toMatchObject([{ event: 'user_deactivated' }])
  }
})

test('the deletion of a user with a UUID is found by that UUID', async () => {
  const { auth, createUser } = await startAuth({ USER_PK: 'uuid' })
  const { operations } = auth.services
  const [ada, bob] = [await createUser({ username: 'ada' }), await createUser({ username: 'bob' })]
  for (const { uuid } of [ada, bob]) await operations.call(HOST, 'users.delete', { pk: uuid })
  const find = (user: string | null) => operations.call(HOST, 'audit.find', { user })
  const row = expect.objectContaining({ event: 'user_deleted', user: ada.uuid })
  expect(await find(ada.uuid)).toEqual({ results: [row], next: null })
  // The numbers of rows mean nothing to operators.
  for (const nobody of ['00000000-0000-4000-8000-000000000000', String(ada.id)]) {
    expect(await find(nobody), nobody).toEqual({ results: [], next: null })
  }
})

test('every login with a second factor is in the audit, and those without are counted', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const rows = async () => {
    const all = started.db.selectFrom('audit_events').select(['details', 'times'])
    const found = await all.where('event', '=', 'admin_login').orderBy('id').execute()
    return found.map(({ details, times }) => [JSON.parse(details).second_factor, times])
  }
  const browser = started.newVisitor()
  for (let n = 0; n < 12; n++) await browser.post('login/', passwordOf('grace'), sent(browser))
  expect(await rows()).toEqual([['none', 12], ...Array(9).fill(['none', 1])])
  const { secret } = await setUpApp(started, 'grace')
  for (let n = 0; n < 12; n++) await logInAdmin(started, 'grace', secret)
  expect((await rows()).slice(10)).toEqual(Array(12).fill(['yes', 1]))
})

test('a login at the admin is found by its operator, and by themself with their address', async () => {
  const lines: string[] = []
  const started = await startAdmin({}, { onLogLine: (line) => lines.push(line) })
  const { operations } = started.auth.services
  const grace = await started.createOperator('grace')
  const { secret } = await setUpApp(started, 'grace')
  await logInAdmin(started, 'grace', secret)
  const logged = lines.map((line) => JSON.parse(line)).filter(({ audit }) => audit)
  expect(logged.at(-1)).toMatchObject({
    audit: 'admin_login',
    by: 'person',
    operator: 'grace',
    address: '127.0.0.1',
  })
  const row = {
    event: 'admin_login',
    user: grace.id,
    operator: { kind: 'person', pk: String(grace.id), name: 'grace' },
    address: '127.0.0.1',
  }
  for (const operator of ['grace', String(grace.id), 'person']) {
    const { results } = await operations.call(HOST, 'audit.find', { operator })
    expect(results).toMatchObject([
      { ...row, details: { method: 'password', second_factor: 'yes' } },
      { ...row, details: { method: 'password', second_factor: 'none' } },
    ])
    for (const { details } of results as { details: object }[])
      expect(details).not.toHaveProperty('address')
  }

  await operations.call(HOST, 'users.update', { pk: grace.id, first_name: 'Grace' })
  const { history } = (await operations.call(HOST, 'users.export', { pk: grace.id })) as {
    history: { event: string; details: object }[]
  }
  const details = { method: 'password', address: '127.0.0.1' }
  expect(history.filter(({ event }) => /^admin_login|user_changed/.test(event))).toMatchObject([
    { details: { by: 'operator' } },
    { details: { ...details, second_factor: 'yes' } },
    { details: { ...details, second_factor: 'none' } },
  ])
  expect(history.at(-1)?.details).not.toHaveProperty('by')
})

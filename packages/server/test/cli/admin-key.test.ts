import { expect, test } from 'vitest'
import { DAY } from '../../src/kernel/clock.ts'
import { newCli } from './support/cli.ts'

const CREATE = ['admin-key', 'create', '--name', 'billing', '--scope', 'read', '--scope', 'users']
const KEY = /^lkadmin_[\w-]{43}\n$/

test('a key is shown once, listed without its secret, and revoked', async () => {
  const { run, inDatabase, createAda } = await newCli()
  await createAda()
  const made = await run(CREATE)
  expect(made).toMatchObject({
    code: 0,
    stderr: 'Save the key now: it cannot be shown again.\n',
  })
  expect(made.stdout).toMatch(KEY)
  const secret = made.stdout.trim()
  const rows = await inDatabase(({ db }) => db.selectFrom('admin_keys').selectAll().execute())
  expect(rows).toMatchObject([{ name: 'billing', created_by: 'grace', expires_at: null }])
  expect(JSON.stringify(rows)).not.toContain(secret.slice(8))

  const { stdout: list } = await run(['admin-key', 'list'])
  expect(list).toMatch(/^ID +NAME +SCOPES +MADE BY +EXPIRES +LAST USED\n1 +billing +read users /)
  const { stdout: json } = await run(['admin-key', 'list', '--json'])
  expect(JSON.parse(json)).toMatchObject([{ id: 1, scopes: ['read', 'users'], expires_at: null }])
  for (const text of [list, json]) expect(text).not.toContain(secret.slice(8))

  for (const wrong of ['2', '0', 'x', '-1', '1e0']) {
    expect((await run(['admin-key', 'revoke', '--', wrong])).code, wrong).not.toBe(0)
  }
  expect(await run(['admin-key', 'revoke', '7'])).toMatchObject({
    code: 1,
    stderr: 'There is no key "7". "latchkey admin-key list" lists all.\n',
  })
  expect(await run(['admin-key', 'revoke', '1', '--reason', 'A leak'])).toMatchObject({
    code: 0,
    stdout: 'Key 1 is revoked.\n',
  })
  expect(JSON.parse((await run(['admin-key', 'list', '--json'])).stdout)).toEqual([])
  const audit = await inDatabase(({ db }) => db.selectFrom('audit_events').selectAll().execute())
  const ofKeys = audit.filter(({ event }) => event.startsWith('admin_key'))
  expect(ofKeys.map(({ event, operator_name }) => [event, operator_name])).toEqual([
    ['admin_key_created', 'grace'],
    ['admin_key_revoked', 'grace'],
  ])
  expect(JSON.stringify(audit)).not.toContain(secret.slice(8))
})

test('the list ends where its limit says', async () => {
  const { run, createAda } = await newCli()
  await createAda()
  for (let n = 0; n < 3; n++) await run(CREATE)
  const { stdout } = await run(['admin-key', 'list', '--limit', '2', '--json'])
  expect(JSON.parse(stdout)).toMatchObject([{ id: 1 }, { id: 2 }])
})

test('a key expires after some days, or at a date; nonsense makes no key', async () => {
  const { run, inDatabase, createAda } = await newCli()
  await createAda()
  const before = Date.now()
  expect((await run([...CREATE, '--expires', '90d'])).code).toBe(0)
  expect((await run([...CREATE, '--expires', '2099-01-31'])).code).toBe(0)
  const expiries = () =>
    inDatabase(({ db }) => db.selectFrom('admin_keys').select('expires_at').orderBy('id').execute())
  const [days, date] = await expiries()
  expect(days?.expires_at).toBeGreaterThanOrEqual(before + 90 * DAY)
  expect(days?.expires_at).toBeLessThanOrEqual(Date.now() + 90 * DAY)
  expect(date?.expires_at).toBe(Date.UTC(2099, 0, 31))

  const wrong = [
    '0d',
    '-1d',
    '90',
    '99999d',
    'soon',
    '2001-01-01',
    '2099-13-01',
    '2099-02-30',
    '2099',
  ]
  for (const expires of wrong) {
    const { code, stdout, stderr } = await run([...CREATE, `--expires=${expires}`])
    expect([expires, code, stdout]).toEqual([expires, 1, ''])
    expect(stderr, expires).toContain('expires')
  }
  const past = await run([...CREATE, '--expires=2001-01-01'])
  expect(past.stderr).toContain('Choose a time in the future.')
  for (const expires of ['', ' ']) {
    const { code, stderr } = await run([...CREATE, '--expires', expires])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^--expires needs a value: --expires <90d or date>\n/)
  }
  const nameless = ['admin-key', 'create', '--scope', 'read']
  const named = ['admin-key', 'create', '--name', 'x']
  const tries = [nameless, named, [...named, '--scope', 'all'], [...named, '--scope', '']]
  for (const args of tries) {
    const { code, stdout } = await run(args)
    expect(code, args.join(' ')).not.toBe(0)
    expect(stdout).toBe('')
  }
  const unscoped = await run(named)
  expect(unscoped).toMatchObject({ code: 2 })
  expect(unscoped.stderr).toMatch(/^The option --scope is required\.\n/)
  expect(await expiries()).toHaveLength(2)
})

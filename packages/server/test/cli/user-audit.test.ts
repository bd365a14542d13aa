import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

const BY_GRACE = { operator: 'grace', host: 'console' }

type Shown = { history: { event: string; details: object }[] }

test.each([
  ['activate', 'user_activated', []],
  ['deactivate', 'user_deactivated', []],
  ['set-password', 'password_set', ['--password-stdin']],
  ['revoke', 'credentials_revoked', []],
])('user %s is recorded, with who and from where', async (verb, event, options) => {
  const { createAda, run } = await newCli()
  await createAda()
  await run(['user', verb, 'ada', ...options], { input: 'another-password' })
  const { stdout } = await run(['user', 'show', 'ada', '--json'])
  expect((JSON.parse(stdout) as Shown).history).toEqual([
    { at: expect.any(String), event, details: BY_GRACE },
    { at: expect.any(String), event: 'user_created', details: BY_GRACE },
  ])
  expect((await run(['user', 'show', 'ada'])).stdout).toMatch(
    new RegExp(`${event} +operator=grace host=console$`, 'm'),
  )
})

test('the data of sudo and SSH names the person', async () => {
  const { createAda, run } = await newCli()
  await createAda()
  const env = { SUDO_USER: 'joan', SSH_CONNECTION: '192.0.2.7 51234 198.51.100.1 22' }
  await run(['user', 'revoke', 'ada'], { env })
  const { history } = JSON.parse((await run(['user', 'show', 'ada', '--json'])).stdout) as Shown
  expect(history[0]?.details).toEqual({ ...BY_GRACE, sudo_user: 'joan', ssh_client: '192.0.2.7' })
})

test('every change by an operator has its own row, even if there are many', async () => {
  const { createAda, run, inDatabase } = await newCli()
  await createAda()
  for (let i = 0; i < 12; i++) await run(['user', 'revoke', 'ada'])
  const rows = await inDatabase(({ db }) =>
    db
      .selectFrom('audit_events')
      .select('details')
      .where('event', '=', 'credentials_revoked')
      .execute(),
  )
  expect(rows).toEqual(Array(12).fill({ details: JSON.stringify(BY_GRACE) }))
})

test('what was refused leaves no row', async () => {
  const { createAda, run } = await newCli()
  await createAda()
  expect((await run(['user', 'delete', 'ada'], { input: 'n\n' })).code).toBe(1)
  expect((await run(['user', 'set-password', 'ada', '--password-stdin'])).code).toBe(1)
  expect((await createAda()).code).toBe(1)
  const { history } = JSON.parse((await run(['user', 'show', 'ada', '--json'])).stdout) as Shown
  expect(history).toHaveLength(1)
})

test('a deletion outlives the account, and keeps nothing of it but the pk', async () => {
  const { createAda, run, inDatabase } = await newCli()
  await createAda()
  await run(['user', 'delete', 'ada', '--yes'])
  const rows = await inDatabase(({ db }) =>
    db.selectFrom('audit_events').select(['user_id', 'event', 'details']).execute(),
  )
  expect(rows).toEqual([{ user_id: 1, event: 'user_deleted', details: JSON.stringify(BY_GRACE) }])
  const { code, stderr } = await run(['user', 'show', '--pk', '1'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^The user with the pk 1 was deleted on \d{4}-\d\d-\d\d\.\n$/)
})

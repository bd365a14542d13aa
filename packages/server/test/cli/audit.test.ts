import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

/** Ada was created and deactivated, bob was created and deleted. */
async function withEvents() {
  const cli = await newCli()
  await cli.createAda()
  await cli.run(['user', 'create', '--username', 'bob'])
  await cli.run(['user', 'deactivate', 'ada'])
  await cli.run(['user', 'delete', 'bob', '--yes'])
  const events = async (...options: string[]) => {
    const { stdout, stderr } = await cli.run(['audit', '--json', ...options])
    expect(stderr).toBe('')
    const rows: { event: string; user: number }[] = JSON.parse(stdout)
    return rows.map(({ event, user }) => `${event} ${user}`)
  }
  return { ...cli, events }
}

/** A deletion takes the earlier events of the user with it. */
const ALL = ['user_deleted 2', 'user_deactivated 1', 'user_created 1']

test('the audit is a table with the newest event first, and who caused it', async () => {
  const { run } = await withEvents()
  const { code, stdout, stderr } = await run(['audit'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [header, ...rows] = stdout.trimEnd().split('\n')
  expect(header).toMatch(/^AT +EVENT +USER +BY +DETAILS$/)
  expect(rows).toHaveLength(ALL.length)
  expect(rows[1]).toMatch(/Z +user_deactivated +1 +cli grace +operator=grace host=console$/)
})

test('it is filtered by user, even a deleted one, by operator, event and time', async () => {
  const { events } = await withEvents()
  expect(await events()).toEqual(ALL)
  expect(await events('--user', 'ada')).toEqual(['user_deactivated 1', 'user_created 1'])
  expect(await events('--user', '2')).toEqual(['user_deleted 2'])
  expect(await events('--event', 'user_created')).toEqual(['user_created 1'])
  expect(await events('--operator', 'grace')).toEqual(ALL)
  expect(await events('--operator', 'key')).toEqual([])
  expect(await events('--since', '2999-01-01T00:00:00Z')).toEqual([])
  expect(await events('--since', '2999-01-01')).toEqual([])
  expect(await events('--until', '2000-01-01')).toEqual([])
  expect(await events('--until', '2999-01-01T00:00:00Z', '--limit', '2')).toEqual(ALL.slice(0, 2))
})

test('a name that can mean two users is refused, even if one of them is deleted', async () => {
  const { run, events } = await withEvents()
  await run(['user', 'create', '--username', '2'])
  expect(await run(['audit', '--user', '2'])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      '"2" is a username and can be the pk of another user, even of a deleted one. Use --user 3 for 2 (pk 3), or "latchkey user history --pk 2" for the other.\n',
  })
  expect(await events('--user', '3')).toEqual(['user_created 3'])

  await run(['user', 'set', 'ada', 'email=ada@example.com'])
  await run(['user', 'create', '--username', 'ada@example.com'])
  expect(await run(['audit', '--user', 'ada@example.com'])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      '"ada@example.com" can mean ada (pk 1) by address or ada@example.com (pk 4) by username. Choose one with --user <pk>.\n',
  })
})

test('a filter that means nothing is refused', async () => {
  const { run } = await withEvents()
  expect(await run(['audit', '--user', 'carol'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no user "carol".\n',
  })
  expect(await run(['audit', '--user', '99'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no user with the pk 99, and no event about one.\n',
  })
  expect(await run(['audit', '--since', 'yesterday'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^since: /),
  })
  for (const limit of ['0', '1.5', 'x']) {
    expect(await run(['audit', '--limit', limit])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^--limit must be a whole number, at least 1\.\n/),
    })
  }
})

test('as CSV it has the columns of the admin API, and no cell is a formula', async () => {
  const { run } = await withEvents()
  await run(['user', 'create', '--username', 'eve', '--email', 'eve@example.com'])
  await run(['user', 'set', 'eve', 'first_name==1+1'])
  const [header, newest] = (await run(['audit', '--csv'])).stdout.split('\n')
  expect(header).toBe(
    '"id","at","event","user","operator","address","reason","details","times_that_day"',
  )
  expect(newest).toMatch(/^6,"20.*Z","user_changed",3,"\{.*grace.*\}",,,"\{.*\}",1$/)
  expect(await run(['audit', '--csv', '--json'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^--csv and --json cannot be used together\.\n/),
  })
  const users = (await run(['user', 'list', '--csv', '--q', 'eve'])).stdout.trimEnd().split('\n')
  expect(users).toHaveLength(2)
  expect(users[0]).toMatch(/^"pk","username","email",/)
  expect(users[1]).toMatch(/^3,"eve","eve@example\.com","'=1\+1",/)
})

test('figures count users, and events of the last 30 days', async () => {
  const { run } = await withEvents()
  const { users, days } = JSON.parse((await run(['figures', '--json'])).stdout)
  expect(users).toBe(1)
  expect(days).toHaveLength(30)
  const { stdout } = await run(['figures'])
  expect(stdout).toMatch(/^1 user\n\nDAY +SIGN-UPS +LOGINS +FAILURES\n20\d\d-\d\d-\d\d +0 +0 +0\n/)
})

test('a change is recorded with the reason that the operator gives', async () => {
  const { run, events } = await withEvents()
  await run(['user', 'activate', 'ada', '--reason', 'Ticket 17'])
  await run(['user', 'revoke', 'ada', '--reason', 'Ticket 18'])
  await run(['user', 'revoke', '--all', '--yes', '--reason', 'A leak'])
  const { stdout } = await run(['audit', '--limit', '4', '--json'])
  const rows: { event: string; reason: string | null }[] = JSON.parse(stdout)
  expect(rows.map(({ event, reason }) => [event, reason])).toEqual([
    ['credentials_revoked', 'A leak'],
    ['credentials_revoked', 'Ticket 18'],
    ['user_activated', 'Ticket 17'],
    ['user_deleted', null],
  ])
  for (const change of [
    ['activate', 'ada'],
    ['revoke', '--all', '--yes'],
  ]) {
    expect(await run(['user', ...change, '--reason', 'x'.repeat(501)])).toMatchObject({
      code: 1,
      stderr: 'reason: Ensure this field has no more than 500 characters.\n',
    })
  }
  expect(await events('--limit', '1')).toEqual(['credentials_revoked 1'])
})

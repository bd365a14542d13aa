import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

/** pk 1 is ada, and pk 2 has the username 1. */
async function startWithNamesake() {
  const cli = await newCli()
  await cli.createAda('--email', 'ada@example.com')
  await cli.run(['user', 'create', '--username', '1', '--email', 'one@example.com'])
  return cli
}

const shownName = (stdout: string) => /^username +(\S+)$/m.exec(stdout)?.[1]

test.each(['show', 'activate', 'deactivate', 'delete', 'reset-mfa', 'revoke', 'sessions'])(
  'user %s refuses a name that means two users, and touches neither',
  async (verb) => {
    const { run, inDatabase } = await startWithNamesake()
    const users = () => inDatabase(({ db }) => db.selectFrom('users').selectAll().execute())
    const before = await users()
    expect(await run(['user', verb, '1', ...(verb === 'delete' ? ['--yes'] : [])])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        '"1" can mean 1 (pk 2) by username or ada (pk 1) by pk. Choose one with --pk <pk> or --username <name>.\n',
    })
    expect(await users()).toEqual(before)
  },
)

test('--pk and --username say which', async () => {
  const { run } = await startWithNamesake()
  expect(shownName((await run(['user', 'show', '--pk', '1'])).stdout)).toBe('ada')
  expect(shownName((await run(['user', 'show', '--username', '1'])).stdout)).toBe('1')
  expect((await run(['user', 'deactivate', '--username', '1'])).stdout).toBe(
    '1 (pk 2) is inactive and logged out everywhere.\n',
  )
})

test('a username that looks like the address of another is ambiguous, too', async () => {
  const { run } = await startWithNamesake()
  await run(['user', 'create', '--username', 'ada@example.com'])
  const { code, stderr } = await run(['user', 'show', 'ada@example.com'])
  expect(code).toBe(1)
  expect(stderr).toContain('ada (pk 1) by address or ada@example.com (pk 3) by username')
})

test('a username that is the own pk or address is not', async () => {
  const { run } = await newCli()
  await run(['user', 'create', '--username', '1', '--email', 'one@example.com'])
  expect((await run(['user', 'show', '1'])).code).toBe(0)
})

test('--username is neither a pk nor an address', async () => {
  const { run } = await startWithNamesake()
  for (const name of ['2', 'ada@example.com']) {
    expect(await run(['user', 'show', '--username', name])).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no user with the username "${name}".\n`,
    })
  }
})

test.each([
  [['--pk', 'ada'], '--pk must be a whole number, at least 1, or a UUID.'],
  [['ada', '--pk', '1'], 'Give only one of <user>, --pk, --username.'],
  [['--username', 'ada', '--pk', '1'], 'Give only one of <user>, --pk, --username.'],
  [[], '<user> is missing: a username, a pk or an e-mail address.'],
])('user show %j is called wrongly', async (args, says) => {
  const { run } = await startWithNamesake()
  const { code, stdout, stderr } = await run(['user', 'show', ...args])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(says)
  expect(stderr.split('\n')).toHaveLength(3)
})

test('an unknown pk is reported', async () => {
  const { run } = await startWithNamesake()
  expect(await run(['user', 'show', '--pk', '9'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no user with the pk 9.\n',
  })
})

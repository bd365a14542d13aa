import { expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { VERSION } from '../../src/version.ts'
import { newCli } from './support/cli.ts'

test('the help lists every command with its summary', async () => {
  const { run } = await newCli()
  const { code, stdout, stderr } = await run(['--help'])
  expect(code).toBe(0)
  expect(stderr).toBe('')
  for (const { name, summary } of commands) {
    expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
    expect(stdout).toContain(summary)
  }
  expect(await run(['-h'])).toEqual({ code, stdout, stderr })
})

test('the help lists commands under the heading of their group, all in the same columns', async () => {
  const { run } = await newCli()
  const { stdout } = await run(['--help'])
  const [, lists = ''] = stdout.split('explains a command.\n')
  const lines = lists.split('\n').filter(Boolean)
  const groups = new Set(commands.map(({ group }) => group))
  expect(lines.filter((line) => !line.startsWith('  '))).toEqual([...groups])
  expect(lists).toMatch(/^Database\n {2}migrate .*\n {2}move .*\n\nUsers\n {2}user create /m)
  const rows = lines.filter((line) => line.startsWith('  '))
  const starts = commands.map(({ summary }, at) => rows[at]?.indexOf(summary))
  expect(new Set(starts).size).toBe(1)
})

test.each(commands.map(({ name }) => name))('"%s --help" tells its options', async (name) => {
  const { run } = await newCli()
  const { code, stdout, stderr } = await run([...name.split(' '), '--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(`Usage: latchkey ${name} `)
  const command = await commands.find((listing) => listing.name === name)?.load()
  for (const [option, { doc }] of Object.entries(command?.options ?? {})) {
    expect(stdout).toMatch(`  --${option}`)
    expect(stdout).toContain(doc)
  }
  expect(stdout).toContain('--json')
})

test('the help on a first word lists the commands that share it', async () => {
  const { run } = await newCli()
  const { code, stdout } = await run(['user', '--help'])
  expect(code).toBe(0)
  expect(stdout).toContain('user set-password')
  expect(stdout).not.toContain('serve')
})

test('help is shown even if the rest of the line is wrong', async () => {
  const { run } = await newCli()
  const { code, stdout } = await run(['user', 'show', '--nonsense', '--help'])
  expect(code).toBe(0)
  expect(stdout).toContain('Usage: latchkey user show <user> [options]')
})

test('help and the version may come first', async () => {
  const { run } = await newCli()
  const all = await run(['--help'])
  expect(all.code).toBe(0)
  for (const args of [['-h'], ['--help', 'serve'], ['--set', 'SECRET_KEY=a-secret', '--help']]) {
    expect(await run(args)).toEqual(all)
  }
  expect(await run(['--help', 'user'])).toEqual(await run(['user', '--help']))
})

const LIST = 'Usage: latchkey <command> [options]'
const SHOW = 'Usage: latchkey user show <user> [options]'
const CREATE = 'Usage: latchkey user create --username <name> [options]'
const SERVE = 'Usage: latchkey serve [options]'

test.each([
  [[], 'No command is given. "latchkey --help" lists all commands.', LIST],
  [['--json'], 'No command is given. "latchkey --help" lists all commands.', LIST],
  [['serv'], 'There is no command "serv". Did you mean "serve"?', LIST],
  [['usr', 'list'], 'There is no command "usr". Did you mean "user list"?', LIST],
  [['user', 'crate'], 'There is no command "user crate". Did you mean "user create"?', LIST],
  [['frobnicate', 'a-secret'], 'There is no command "frobnicate".', LIST],
  [['--set', 'SECRET_KEY=a-secret', 'serve'], 'The command comes before its options.', LIST],
  [['--json', 'user', 'list'], 'The command comes before its options.', LIST],
  [['constructor'], 'There is no command "constructor".', LIST],
  [['serve', '--confg', 'x'], 'There is no option --confg. Did you mean --config?', SERVE],
  [['serve', '--constructor'], 'There is no option --constructor.', SERVE],
  [['serve', '-p'], 'There is no option -p.', SERVE],
  [['serve', '--json=yes'], '--json takes no value.', SERVE],
  [['serve', '--config'], '--config needs a value: --config <file>', SERVE],
  [['serve', '--config', ''], '--config needs a value: --config <file>', SERVE],
  [['serve', '--set='], '--set needs a value: --set <NAME=value>', SERVE],
  [['serve', 'SECRET_KEY=a-secret'], '"serve" takes only options.', SERVE],
  [['user', 'show'], '<user> is missing: a username, a pk or an e-mail address.', SHOW],
  [['user', 'show', ''], '<user> is missing: a username, a pk or an e-mail address.', SHOW],
  [['user', 'show', 'ada', 'bob'], '"user show" takes only one <user>.', SHOW],
  [['user', 'create', '--username', ' '], '--username needs a value: --username <name>', CREATE],
  [['user', 'create'], 'The option --username <name> is required.', CREATE],
  [
    ['user', 'create', '--username', '--verified'],
    '--username needs a value. If the value begins with a dash, write --username=<name>',
    CREATE,
  ],
])('%j is told what is wrong with it, and how it is meant', async (args, message, usage) => {
  const { run } = await newCli()
  expect(await run(args)).toEqual({ code: 2, stdout: '', stderr: `${message}\n${usage}\n` })
})

test('a first word alone lists the commands that begin with it', async () => {
  const { run } = await newCli()
  const { code, stdout, stderr } = await run(['user'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('user create, user list, user show')
})

test('keys alone lists them, with options or without', async () => {
  const { run } = await newCli()
  const listed = await run(['keys', 'list', '--json'])
  expect(listed.code).toBe(0)
  expect(await run(['keys', '--json'])).toEqual(listed)
  expect(await run(['keys', '--set', 'REST_AUTH.USE_JWT=true', '--json'])).toEqual(listed)
  expect((await run(['keys'])).stdout).toContain('HS256')
  expect((await run(['keys', 'lst'])).code).toBe(2)
})

test('the version is that of the package', async () => {
  const { run } = await newCli()
  expect(await run(['version'])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' })
  expect(await run(['--version'])).toEqual(await run(['version']))
  const { stdout } = await run(['version', '--json'])
  expect(JSON.parse(stdout)).toEqual({ version: VERSION })
})

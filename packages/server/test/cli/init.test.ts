import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'
import { newFolder } from './support/program.ts'

const modeOf = (file: string) => statSync(file).mode & 0o777

async function newInit() {
  const cli = await newCli()
  const file = join(cli.cwd, 'latchkey.config.mjs')
  /** Types these lines into a terminal. */
  const typing = (lines: readonly string[], args: readonly string[] = []) =>
    cli.run(['init', ...args], { isTerminal: true, input: lines.map((one) => `${one}\n`).join('') })
  const check = (env: Record<string, string> = {}) => cli.run(['check'], { env })
  return { ...cli, file, typing, check, written: () => readFileSync(file, 'utf8') }
}

test('five times Enter writes a file with comments that the check accepts', async () => {
  const { typing, check, written, file } = await newInit()
  const { code, stdout, stderr } = await typing(['Harbour', '', '', '', ''])
  expect(code).toBe(0)
  expect(stderr).toMatch(/1\/5 .*\n.*2\/5 .*\n.*3\/5 .*\n.*4\/5 .*\n.*5\/5 /)
  expect(stdout).toContain(`Wrote ${file}`)
  expect(stdout).toContain('npx latchkey check\n  npx latchkey serve\n')
  expect(written()).toMatch(/^ {2}\/\/ \S.*\n {2}SITE_NAME: 'Harbour',$/m)
  expect(written()).toContain("PUBLIC_URL: 'http://localhost:8000'")
  expect(modeOf(file)).toBe(0o600)
  expect(await check()).toMatchObject({ code: 0 })
})

test('a wrong answer is asked again, with the reason', async () => {
  const { typing, written } = await newInit()
  const answers = ['Harbour', 'id.example', 'https://id.example', 'mysql://x', '', '', 'goggle', '']
  const { code, stderr } = await typing(answers)
  expect(code).toBe(0)
  expect(stderr.match(/This cannot be used/g)).toHaveLength(2)
  expect(stderr).toContain('It must be sqlite:<file>,')
  expect(stderr).toContain('There is no goggle.')
  expect(written()).toContain("PUBLIC_URL: 'https://id.example'")
  expect(written()).not.toContain('mysql')
})

test('a password is asked for where an address has none, and is for the owner only', async () => {
  const { typing, written, file } = await newInit()
  const mail = 'smtp://ada@mail.example:587'
  const { code, stdout, stderr } = await typing(['Harbour', '', '', mail, 'p@ss\u007fs/word', ''])
  expect(code).toBe(0)
  expect(written()).toContain("EMAIL_URL: 'smtp://ada:p%40ss%2Fword@mail.example:587'")
  expect(modeOf(file)).toBe(0o600)
  expect(stdout + stderr).not.toContain('word@')
  expect(stdout + stderr).not.toContain('p@ss')
})

test('a password is asked for where a database has several hosts, too', async () => {
  const { typing, written } = await newInit()
  const database = 'postgres://app@a:5432,b:5432/auth'
  for (const [typed, stored] of [
    ['p@ss$&', 'postgres://app:p%40ss%24%26@a:5432,b:5432/auth'],
    ['', database],
  ] as const) {
    const { code, stderr } = await typing(['Harbour', '', database, typed, '', ''], ['--force'])
    expect(code).toBe(0)
    expect(stderr).toContain('The password of app ')
    expect(written()).toContain(`DATABASE_URL: '${stored}'`)
  }
})

test('a password is put after a user name that is an e-mail address', async () => {
  const { typing, written } = await newInit()
  const { stderr } = await typing(['Harbour', '', '', 'smtp://ada@a.example@mail.example', 'x', ''])
  expect(stderr).toContain('The password of ada@a.example ')
  expect(written()).toContain("EMAIL_URL: 'smtp://ada@a.example:x@mail.example'")
})

test('a provider gets its secret now, or later from the environment', async () => {
  const { typing, check, written, file } = await newInit()
  const secrets = ['google, github', 'id-1', 'the secret', 'id-2', '']
  const { stdout, stderr } = await typing(['Harbour', '', '', '', ...secrets])
  expect(written()).toContain("client_id: 'id-1',\n          secret: 'the secret',")
  expect(written()).toContain('secret: env.GITHUB_CLIENT_SECRET,')
  expect(modeOf(file)).toBe(0o600)
  expect(stdout).toContain('export GITHUB_CLIENT_SECRET=')
  expect(stdout).not.toContain('export GOOGLE_CLIENT_SECRET=')
  expect(stdout).toContain('http://localhost:8000/account/callback/google\n')
  expect(stdout + stderr).not.toContain('the secret')
  process.env.GITHUB_CLIENT_SECRET = 'another'
  try {
    expect(await check()).toMatchObject({ code: 0 })
  } finally {
    delete process.env.GITHUB_CLIENT_SECRET
  }
})

test('without a terminal it takes options, and asks nothing', async () => {
  const { run, check, written, file } = await newInit()
  const { code, stdout, stderr } = await run([
    ...['init', '--name', "Ada's", '--url', 'http://localhost:9000', '--mail', 'file:mails'],
    ...['--database', 'sqlite:its.db', '--json'],
  ])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toEqual({ file, environment: [] })
  expect(written()).toContain(`SITE_NAME: "Ada's"`)
  expect(written()).toContain("DATABASE_URL: 'sqlite:its.db'")
  expect(written()).toContain('PORT: 9000')
  expect(await check()).toMatchObject({ code: 0 })
})

test('a server database gets a secret key, which is for the owner only', async () => {
  const { run, written, file } = await newInit()
  const { code, stdout } = await run(['init', '--database', 'postgres://latchkey@db.example/auth'])
  expect(code).toBe(0)
  const [, key = ''] = /SECRET_KEY: '([\w-]+)'/.exec(written()) ?? []
  expect(key.length).toBeGreaterThanOrEqual(50)
  expect(stdout).not.toContain(key)
  expect(modeOf(file)).toBe(0o600)
})

test.each([
  [['--url', 'id.example'], '--url: expected'],
  [['--name', 'x'.repeat(61)], '--name: expected one line of at most 60 characters.'],
  [['--database', 'mysql://ada:hidden@db'], '--database: expected sqlite:<file>'],
  [['--mail', 'pigeon:'], '--mail: expected console:'],
  [['--provider', 'goggle=x'], '--provider: expected <name>=<client id>'],
  [['--provider', 'google=a', '--provider', 'google=b'], '--provider: google is given twice.'],
  [['--provider', 'google='], '--provider: SOCIALACCOUNT.PROVIDERS.google.APP.client_id'],
])('a wrong option is refused, and nothing is written: %j', async (args, words) => {
  const { run, cwd } = await newInit()
  const { code, stderr } = await run(['init', ...args])
  expect(code).toBe(2)
  expect(stderr).toContain(words)
  expect(stderr).not.toContain('hidden')
  expect(readdirSync(cwd)).toEqual([])
})

test('an existing file is replaced only by force, and before anything is asked', async () => {
  const { typing, run, file, written } = await newInit()
  writeFileSync(file, 'export default {}\n')
  const refused = await typing([])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toBe(`${file} already exists. Use --force to replace it.\n`)
  expect(written()).toBe('export default {}\n')
  expect(await run(['init', '--force', '--name', 'Harbour'])).toMatchObject({ code: 0 })
  expect(written()).toContain("SITE_NAME: 'Harbour'")
})

test.each(['latchkey.config.json', 'latchkey.config.js'])(
  'a start that could not decide between %s and the new file is prevented',
  async (other) => {
    const { run, cwd, file } = await newInit()
    writeFileSync(join(cwd, other), '{}')
    const { code, stderr } = await run(['init'])
    expect(code).toBe(1)
    expect(stderr).toContain(
      `${other} already exists, and a start would not know which of the two to read.`,
    )
    expect(existsSync(file)).toBe(false)
    expect(await run(['init', '--output', 'mine.mjs'])).toMatchObject({ code: 0 })
  },
)

test.each(['commonjs', 'module', undefined])(
  'the file can be read in a project of type %s, without a warning',
  async (type) => {
    const { cwd, run } = await newFolder()
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ type }))
    expect(await run(['init', '--name', 'Harbour'])).toMatchObject({ code: 0, stderr: '' })
    const { code, stdout, stderr } = await run(['settings', '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('"Harbour"')
  },
)

test.each(['latchkey.config.json', 'latchkey.config.js', 'config'])(
  'no module is written into %s, which no start could read',
  async (output) => {
    const { run, cwd } = await newInit()
    expect(await run(['init', '--output', output])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--output must end in .mjs'),
    })
    expect(readdirSync(cwd)).toEqual([])
  },
)

test('another file is named to the commands that follow', async () => {
  const { run, cwd } = await newInit()
  const { stdout } = await run(['init', '--output', 'my config.mjs'])
  expect(stdout).toContain("npx latchkey serve --config 'my config.mjs'")
  expect(await run(['check', '--config', 'my config.mjs'])).toMatchObject({ code: 0 })
  expect(readdirSync(cwd)).toContain('my config.mjs')
})

test.each([[['Harbour', 'https://id.example']], [['Harbour', '', '', 'smtp://a@b:25', '\u0003']]])(
  'whoever stops before the end leaves nothing behind: %j',
  async (lines) => {
    const { typing, cwd } = await newInit()
    const { code, stdout, stderr } = await typing(lines)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('Stopped. Nothing was written.')
    expect(readdirSync(cwd)).toEqual([])
  },
)

test('the admin module comes with the way to the first operator', async () => {
  const { run, check, written } = await newInit()
  const { code, stdout } = await run(['init', '--admin'])
  expect(code).toBe(0)
  expect(written()).toMatch(/MODULES: \['registration', .*, 'pages', 'admin'\],$/m)
  expect(stdout).toMatch(/npx latchkey user create --superuser .*--verified/)
  expect(stdout).toContain('http://localhost:8001/admin/')
  expect(await check()).toMatchObject({ code: 0 })
})

test('without it nothing is said about operators', async () => {
  const { run, written } = await newInit()
  const { stdout } = await run(['init'])
  expect(stdout + written()).not.toMatch(/admin|superuser/)
})

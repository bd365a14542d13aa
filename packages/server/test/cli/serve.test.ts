import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listenOn } from '../../src/cli/serve/listen.ts'
import { newCli } from './support/cli.ts'

const ADA = { username: 'ada', password: 'a-good-password' }

/** Splits the printed line that begins with this word, as a shell does. */
function printedWords(output: string, first: string): string[] {
  const line = output.split('\n').find((candidate) => candidate.trim().startsWith(first)) ?? ''
  const words = line.trim().match(/(?:'[^']*'|[^\s'])+/g) ?? []
  return words.map((word) => word.replaceAll("'", ''))
}

test('the first start says where it serves, and how to get a user and log in', async () => {
  const { run, serve, file } = await newCli()
  const { url, stdout, stderr, logIn } = await serve()
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/auth\/$/)
  expect(stdout()).toContain(`Data is stored in sqlite:${file}\n`)
  expect(stderr()).toBe('')

  const [, input = '', pipe, npx, latchkey, ...create] = printedWords(stdout(), 'printf')
  expect([pipe, npx, latchkey]).toEqual(['|', 'npx', 'latchkey'])
  expect(await run(create, { input })).toEqual({ code: 0, stdout: '1\n', stderr: '' })

  const curl = printedWords(stdout(), 'curl')
  expect(curl).toContain(`${url}login/`)
  expect((await logIn(JSON.parse(curl.at(-1) ?? ''))).status).toBe(200)
})

test('the pages are named first, under the address that passkeys are made for', async () => {
  const { serve } = await newCli()
  const { url, stdout } = await serve()
  const { port } = new URL(url)
  expect(stdout().split('\n').slice(0, 5)).toEqual([
    `Open http://localhost:${port}/account/ to create an account or sign in.`,
    '',
    `The API serves ${url}`,
    `Its documentation is at ${url}docs/`,
    `Mails are printed here and shown at ${url}dev/mailbox/`,
  ])
})

test('where nobody can register, the pages are for signing in', async () => {
  const { serve } = await newCli()
  const { stdout } = await serve([], { env: { ACCOUNT_SIGNUP: 'closed' } })
  expect(stdout().split('\n')[0]).toMatch(/^Open \S+\/account\/ to sign in\.$/)
})

test('links name the port that the system has chosen', async () => {
  const { serve, cwd } = await newCli()
  const mails = join(cwd, 'mails')
  const { url } = await serve([], { env: { EMAIL_URL: `file://${mails}` } })
  const { port } = new URL(url)
  const document = await (await fetch(`${url}openapi.json`)).json()
  expect(document).toMatchObject({ servers: [{ url: `http://localhost:${port}/auth/` }] })
  const { password } = ADA
  const account = { username: 'ada', email: 'ada@example.com' }
  const reply = await fetch(`${url}registration/`, {
    method: 'POST',
    // Nothing about the deployment is learnt from a request.
    headers: { 'content-type': 'application/json', 'x-forwarded-host': 'evil.example' },
    body: JSON.stringify({ ...account, password1: password, password2: password }),
  })
  expect(reply.status).toBe(201)
  const mail = await vi.waitFor(
    async () => {
      const [name = ''] = (await readdir(mails)).filter((file) => file.endsWith('.eml'))
      return readFile(join(mails, name), 'utf8')
    },
    { timeout: 60_000 },
  )
  const hosts = mail.match(/(?<=http:\/\/)[^/\s]+/g)
  expect(new Set(hosts)).toEqual(new Set([`localhost:${port}`]))
})

test('the named pages are those that browsers reach', async () => {
  const { serve } = await newCli()
  const env = { PUBLIC_URL: 'https://id.example', PAGES_PREFIX: '/me/' }
  const { stdout } = await serve([], { env })
  expect(stdout()).toMatch(/^Open https:\/\/id\.example\/me\/ to /)
  // Only a service that nobody else reaches shows its mails.
  expect(stdout()).toContain('\nMails are printed here.\n')
  expect(stdout()).not.toContain('mailbox')
})

test('what is off is not named', async () => {
  const { serve } = await newCli()
  const env = { MODULES: 'registration', API_DOCS: 'false', EMAIL_URL: 'file:mails' }
  const { url, stdout } = await serve([], { env })
  expect(stdout()).toMatch(new RegExp(`^The API serves ${url}\nData is stored in `))
  expect(stdout()).not.toMatch(/account\/|docs\/|mailbox/)
})

test('a start with users says how to log in, and not how to create one', async () => {
  const { createAda, serve } = await newCli()
  await createAda()
  const { url, stdout, logIn } = await serve()
  expect(stdout()).not.toContain('user create')
  const [title, curl] = stdout().trimEnd().split('\n').slice(-2)
  expect(title).toBe('Log in as one of your users:')
  expect(curl).toMatch(new RegExp(`^  curl -s ${url}login/ -H `))
  expect((await logIn(JSON.parse(printedWords(stdout(), 'curl').at(-1) ?? ''))).status).toBe(200)
})

test('the printed command finds the database that was named on the command line', async () => {
  const { run, serve, cwd } = await newCli()
  const { stdout } = await serve(['--set', 'DATABASE_URL=sqlite:my data/its.db'])
  const [, input = '', , , , ...create] = printedWords(stdout(), 'printf')
  expect(create).toContain(`DATABASE_URL=sqlite:${join(cwd, 'my data', 'its.db')}`)
  expect((await run(create, { input })).code).toBe(0)
})

test('the printed command reads the config file that was named', async () => {
  const { run, serve, cwd } = await newCli()
  await writeFile(join(cwd, 'my.json'), '{"DATABASE_URL": "sqlite:elsewhere/its.db"}')
  const { stdout, logIn } = await serve(['--config', 'my.json'])
  const [, input = '', , , , ...create] = printedWords(stdout(), 'printf')
  expect(create.slice(-2)).toEqual(['--config', 'my.json'])
  expect((await run(create, { input })).code).toBe(0)
  expect((await logIn(ADA)).status).toBe(200)
})

test('a database in memory is filled by nobody else, so no command is printed', async () => {
  const { serve } = await newCli()
  const { stdout } = await serve(['--set', 'DATABASE_URL=sqlite::memory:'])
  expect(stdout()).toContain('curl')
  expect(stdout()).not.toContain('user create')
})

test('the printed login follows the prefix and the login methods', async () => {
  const { serve } = await newCli()
  const env = { AUTH_PREFIX: '/api/v1/', ACCOUNT_LOGIN_METHODS: 'email' }
  const { url, stdout } = await serve([], { env })
  expect(url).toMatch(/\/api\/v1\/$/)
  expect(stdout()).toContain(`-d '{"email":"ada@example.com","password":"a-good-password"}'`)
})

test('programs get the address on one line of JSON', async () => {
  const { serve, file } = await newCli()
  const { stdout } = await serve(['--json'])
  expect(stdout()).toMatch(/^\{.*\}\n$/)
  expect(JSON.parse(stdout())).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/auth\/$/),
    pages: expect.stringMatching(/^http:\/\/localhost:\d+\/account\/$/),
    database: `sqlite:${file}`,
    pooler: null,
  })
})

const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((at) => at?.address === '::1')

test('an IPv6 address is printed as it is called', async ({ skip }) => {
  skip(!hasIPv6, 'this machine has no IPv6.')
  const { createAda, serve } = await newCli()
  await createAda()
  const { url, stderr, logIn } = await serve(['--set', 'HOST=::1'])
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/auth\/$/)
  expect(stderr()).toBe('')
  expect((await logIn(ADA)).status).toBe(200)
})

test('who listens everywhere is printed an address to call, and warned about PUBLIC_URL', async () => {
  const { createAda, serve } = await newCli()
  await createAda()
  const { url, stderr, logIn } = await serve(['--set', 'HOST=0.0.0.0'])
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//)
  expect(stderr()).toMatch(/^Warning: .*Set PUBLIC_URL to .*\n$/)
  expect((await logIn(ADA)).status).toBe(200)
})

test('there is no warning once PUBLIC_URL is given', async () => {
  const { serve } = await newCli()
  const args = ['--set', 'HOST=0.0.0.0', '--set', 'PUBLIC_URL=https://id.example']
  const { stderr } = await serve(args)
  expect(stderr()).toBe('')
})

test('neither the secret key nor a password is printed', async () => {
  const { serve } = await newCli()
  const secret = 'a secret that is long enough for a key'
  const { stdout, stderr } = await serve(['--set', `SECRET_KEY=${secret}`])
  expect(stdout() + stderr()).not.toContain(secret)
})

test('a port in use is reported in one line, before anything is stored', async () => {
  const { run, cwd } = await newCli()
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? address?.port : 0
  expect(await run(['serve', '--set', `PORT=${port}`])).toEqual({
    code: 1,
    stdout: '',
    stderr: `Port ${port} on 127.0.0.1 is already in use. Choose another one with --set PORT=<number>.\n`,
  })
  expect(await readdir(cwd)).toEqual([])
})

test('an address of another machine is reported in one line', async () => {
  const { run } = await newCli()
  // This address is reserved for documentation, so no machine has it.
  const { code, stderr } = await run(['serve', '--set', 'HOST=192.0.2.1', '--set', 'PORT=0'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^HOST 192\.0\.2\.1 is not an address of this machine\. Use .*\n$/)
})

test('a port that needs more rights is reported in one line', async () => {
  // The user who runs the tests may have this right, so the refusal of the system is simulated.
  const app = Fastify()
  app.server.listen = () => {
    throw Object.assign(new Error('listen EACCES'), { code: 'EACCES' })
  }
  const served = { app, listeners: [app.server] }
  await expect(listenOn(served, { host: '127.0.0.1', port: 80 }, [{}])).rejects.toThrow(
    'This user may not listen on port 80 of 127.0.0.1. Choose a port from 1024 up with --set PORT=<number>.',
  )
})

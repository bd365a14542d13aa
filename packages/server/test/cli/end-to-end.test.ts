import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { client, ONCE } from './support/cli.ts'
import { heldLogin, untilRefused } from './support/held-login.ts'
import { newFolder, PROGRAM, printedAddress } from './support/program.ts'

const ADA = { username: 'ada', password: 'a-good-password' }
const LONG = { timeout: 60_000 }

async function register(url: string, username: string): Promise<void> {
  const { password } = ADA
  const account = { username, email: `${username}@example.com` }
  const { status } = await fetch(`${url}registration/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...account, password1: password, password2: password }),
  })
  expect(status).toBe(201)
}

test('a user is created, logs in, and is answered even while the service stops', async () => {
  const { run, start } = await newFolder()
  const options = ['--username', 'ada', '--email', 'ada@example.com', '--password-stdin']
  const created = await run(['user', 'create', ...options], { input: 'a-good-password\n' })
  expect(created).toEqual({ code: 0, stdout: '1\n', stderr: '' })

  const { child, ended } = start(['serve'], { PORT: '0' })
  const url = await printedAddress(child)
  const { logIn, isLoggedIn } = client(url)
  const credential = await logIn(ADA)
  expect(credential.status).toBe(200)
  expect(await isLoggedIn(credential)).toBe(true)

  const login = await heldLogin(url, ADA)
  child.kill('SIGTERM')
  await untilRefused(url)
  expect(await login.finish()).toMatchObject({ status: 200, body: { key: credential.key } })
  expect(await ended).toBe(0)
})

test('every request has its line in the log, up to the last before the end', async () => {
  const { start } = await newFolder()
  const { child, ended } = start(['serve'], { PORT: '0' })
  const url = await printedAddress(child)
  const log = text(child.stdout)
  const ids = Array.from({ length: 100 }, (_, index) => `request-${index}`)
  for (const id of ids) await fetch(`${url}user/`, { headers: { ...ONCE, 'X-Request-Id': id } })
  child.kill('SIGTERM')
  expect(await ended).toBe(0)

  const lines = (await log).split('\n').filter((line) => line.includes('"msg":"request"'))
  const common = { level: 30, method: 'GET', route: '/auth/user/', status: 401 }
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    ids.map((reqId) => expect.objectContaining({ ...common, reqId, ms: expect.any(Number) })),
  )
})

test('a reader of the log that stalls keeps nobody from being answered, nor the end', async () => {
  const { start } = await newFolder()
  const { child, ended } = start(['serve'], { PORT: '0' })
  const url = await printedAddress(child)
  child.stdout?.pause()
  // Far more than a pipe holds, in long lines: fewer requests are needed.
  const headers = { 'X-Request-Id': 'x'.repeat(128) }
  for (let count = 0; count < 900; count++) {
    expect((await fetch(`${url}user/`, { headers })).status).toBe(401)
  }
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

test.for(['serve', 'version'])(
  '%s fails if its output takes nothing',
  async (command, { skip }) => {
    skip(!existsSync('/dev/full'), 'this system has no /dev/full.')
    const { cwd } = await newFolder()
    const stdio = ['ignore', openSync('/dev/full', 'w'), 'pipe'] as const
    const env = { PATH: process.env.PATH, PORT: '0' }
    const child = spawn(process.execPath, [PROGRAM, command], { cwd, env, stdio: [...stdio] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [errors, ended] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')])
    expect(ended).toEqual([1, null])
    expect(errors).toMatch(/^The output cannot be written: ENOSPC.*\n$/)
  },
)

test.for(['1', '2'])('a service of %s whose address nobody can read fails', async (workers) => {
  const { start } = await newFolder()
  const { child, ended } = start(['serve'], { PORT: '0', WORKERS: workers, LOG_LEVEL: 'silent' })
  child.stdout.destroy()
  expect(await text(child.stderr)).toMatch(/^The output cannot be written: .*EPIPE\n$/)
  expect(await ended).toBe(1)
})

test('errors that cannot be written change no exit code', async ({ skip }) => {
  skip(!existsSync('/dev/full'), 'this system has no /dev/full.')
  const { cwd } = await newFolder()
  const exitCode = async (...args: string[]) => {
    const stdio = ['ignore', 'ignore', openSync('/dev/full', 'w')] as const
    const env = { PATH: process.env.PATH, LOG_LEVEL: 'debug' }
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env, stdio: [...stdio] })
    onTestFinished(() => void child.kill('SIGKILL'))
    return (await once(child, 'exit'))[0]
  }
  expect(await exitCode('user', 'create', '--username', 'ada')).toBe(0)
  expect(await exitCode('user', 'activate', 'ada')).toBe(0)
  expect(await exitCode('nonsense')).toBe(2)
})

test('a working directory that is gone is explained in one sentence', async () => {
  const { cwd } = await newFolder()
  const gone = join(cwd, 'gone')
  mkdirSync(gone)
  const command = 'cd "$1" && rmdir "$1" && exec "$2" "$3" version'
  const child = spawn('sh', ['-c', command, 'sh', gone, process.execPath, PROGRAM])
  onTestFinished(() => void child.kill('SIGKILL'))
  const [errors, ended] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect(errors).toMatch(/^The working directory is gone .*\n$/)
  expect(ended).toEqual([1, null])
})

test('a reader that stops early is no error', async () => {
  const { start } = await newFolder()
  const { child, ended } = start(['settings'])
  child.stdout.destroy()
  expect(await text(child.stderr)).toBe('')
  expect(await ended).toBe(0)
})

test('mails are printed, and a reader that is gone does not end the service', async () => {
  const { start } = await newFolder()
  const { child } = start(['serve'], { PORT: '0' })
  const url = await printedAddress(child)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await register(url, 'ada')
  await vi.waitFor(() => expect(output).toMatch(/^-+\nFrom: .*\nTo: ada@example\.com\n/m), LONG)
  child.stdout.destroy()
  await register(url, 'ben')
  await vi.waitFor(
    async () =>
      expect(await (await fetch(`${url}dev/mailbox/`)).text()).toContain('ben@example.com'),
    LONG,
  )
  expect((await fetch(`${url}user/`)).status).toBe(401)
})

test('Ctrl-C ends an idle service with success', async () => {
  const { start } = await newFolder()
  const { child, ended } = start(['serve'], { PORT: '0' })
  await printedAddress(child)
  child.kill('SIGINT')
  expect(await ended).toBe(0)
})

test('a second service on the same port ends with one line', async () => {
  const { run, start } = await newFolder()
  const { child } = start(['serve'], { PORT: '0' })
  const { port } = new URL(await printedAddress(child))
  expect(await run(['serve', '--set', `PORT=${port}`])).toEqual({
    code: 1,
    stdout: '',
    stderr: `Port ${port} on 127.0.0.1 is already in use. Choose another one with --set PORT=<number>.\n`,
  })
})

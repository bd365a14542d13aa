import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { newCli } from '../cli/support/cli.ts'
import { callsTo, good } from './support.ts'

const SERVER = fileURLToPath(new URL('../..', import.meta.url))
const PROGRAM = join(SERVER, 'bin/latchkey.js')

type Line = { url: string; api: string; pages: string; test: string; mailbox: string; pid: number }

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-service-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const ENVIRONMENT = { PATH: process.env.PATH }

/** Resolves when the child has printed its first line, or else fails when it has ended. */
async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('Nothing is printed.')
  for await (const line of createInterface(child.stdout)) return line
  throw new Error('It has ended without a line.')
}

function start(args: readonly string[], cwd = newFolder()): ChildProcess {
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  const child = spawn(process.execPath, [PROGRAM, 'test', ...args], {
    ...{ cwd, env: ENVIRONMENT },
    stdio: [...stdio],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('it prints one line of addresses, serves there, keeps nothing, and ends with a signal', async () => {
  const folder = newFolder()
  writeFileSync(
    join(folder, 'seed.json'),
    '{"users": [{"username": "ada", "password": "pw-of-ada"}]}',
  )
  const args = ['--seed', 'seed.json', '--set', 'REST_AUTH.USE_JWT=true', '--json']
  const child = start(args, folder)
  const line: Line = JSON.parse(await firstLine(child))
  const { url } = line
  expect(line).toEqual({
    ...{ url, api: `${url}/auth/`, pages: `${url}/account/`, test: `${url}/__test/` },
    ...{ mailbox: `${url}/auth/dev/mailbox/`, pid: child.pid },
  })
  const { api } = callsTo(url)
  const login = await api('POST', 'login/', { username: 'ada', password: 'pw-of-ada' })
  expect(login.body).toHaveProperty('access')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(readdirSync(folder)).toEqual(['seed.json'])
})

test('the port is the one that is asked for, or a refusal', async () => {
  const first: Line = JSON.parse(await firstLine(start([])))
  const { port } = new URL(first.url)
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'test', '--port', port], {
    ...{ cwd: newFolder(), encoding: 'utf8', env: ENVIRONMENT, timeout: 30_000 },
  })
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(`Port ${port}`) })
  const { run } = await newCli()
  expect(await run(['test', '--port', 'high'])).toMatchObject({ code: 2 })
})

/** Starts the service from another process, which prints its line and waits. */
const parentOf = (stdin: string) => `
  const { spawn } = require('node:child_process')
  spawn(process.execPath, [${JSON.stringify(PROGRAM)}, 'test'], { stdio: ['${stdin}', 'inherit', 'ignore'] })
  setInterval(() => {}, 1000)`

test.each(['ignore', 'pipe'])(
  'it ends when its parent is killed; its standard input: %s',
  async (stdin) => {
    const parent = spawn(process.execPath, ['-e', parentOf(stdin)], {
      ...{ cwd: newFolder(), env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'ignore'] },
    })
    const { url }: Line = JSON.parse(await firstLine(parent))
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const closed = once(parent.stdout, 'close')
    parent.kill('SIGKILL')
    // The service holds the other end of the pipe.
    await closed
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  },
)

test.each([
  [['--set', 'PUBLIC_URL=https://auth.example.com'], {}, 'PUBLIC_URL is https://auth.example.com'],
  [['--set', 'HOST=0.0.0.0'], {}, 'HOST is 0.0.0.0'],
  [[], { NODE_ENV: 'production' }, 'NODE_ENV is production'],
  [[], { DATABASE_URL: 'postgres://u:geheim@h/d', SECRET_KEY: 'k'.repeat(50) }, 'that exists'],
  [[], { DATABASE_URL: 'sqlite:there.db' }, 'a database that exists'],
  [['--seed', 'nothing.json'], {}, 'The seed'],
  [['--seed', 'there.db'], {}, 'is not valid JSON'],
  [['--set', 'NONSENSE=1'], {}, 'NONSENSE'],
])('it refuses %j with %j', async (args, env, words) => {
  const { cwd, run } = await newCli()
  writeFileSync(join(cwd, 'there.db'), 'data')
  const { code, stdout, stderr } = await run(['test', ...args], { env })
  expect({ code, stdout, stderr }).toEqual({
    ...{ code: 1, stdout: '', stderr: expect.stringContaining(words) },
  })
  expect(stderr).not.toContain('geheim')
})

test('a production image may leave it out, and then it says so', async () => {
  const copy = join(newFolder(), 'latchkey')
  for (const part of ['bin', 'dist', 'words', 'package.json']) {
    cpSync(join(SERVER, part), join(copy, part), { recursive: true })
  }
  symlinkSync(join(SERVER, '../../node_modules'), join(copy, 'node_modules'))
  for (const file of readdirSync(join(copy, 'dist'))) {
    if (file.startsWith('testing')) rmSync(join(copy, 'dist', file))
  }
  const program = join(copy, 'bin/latchkey.js')
  const options = { cwd: newFolder(), env: ENVIRONMENT }
  const { status, stderr } = spawnSync(process.execPath, [program, 'test'], {
    ...{ ...options, encoding: 'utf8' },
  })
  expect({ status, stderr }).toEqual({
    ...{ status: 1, stderr: expect.stringContaining('This installation has no test service.') },
  })
  const server = spawn(process.execPath, [program, 'serve', '--json', '--set', 'PORT=0'], options)
  onTestFinished(() => void server.kill('SIGKILL'))
  const { url } = JSON.parse(await firstLine(server))
  expect((await fetch(new URL('/healthz', url))).status).toBe(200)
})

test('the server of production has nothing below /__test/', async () => {
  const args = ['serve', '--json', '--set', 'PORT=0', '--set', 'AUTH_PREFIX=/']
  const server = spawn(process.execPath, [PROGRAM, ...args], {
    ...{ cwd: newFolder(), env: ENVIRONMENT },
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  const { url } = JSON.parse(await firstLine(server))
  const { at } = callsTo(new URL(url).origin)
  for (const path of ['', 'users', 'login', 'mail', 'clock', 'reset', 'faults', 'idp/acme/next']) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await at(method, `/__test/${path}`, method === 'GET' ? undefined : {})
      expect({ path, method, ...answer }).toMatchObject({ path, method, status: 404 })
    }
  }
  expect(await good(at('GET', '/healthz'))).toEqual({ status: 'ok' })
})

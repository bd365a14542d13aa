import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { newCli, ONCE } from './support/cli.ts'
import { printedAddress, runProgram, startProgram } from './support/program.ts'

// Each test starts the program, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const PASSWORD = 'a-good-password'
const PRELOAD = join(import.meta.dirname, 'support', 'break-packages.cjs')

/** The environment of a program in which these packages cannot be loaded. */
const broken = (...packages: string[]) => ({
  PORT: '0',
  NODE_OPTIONS: `--require=${PRELOAD}`,
  BROKEN_PACKAGES: packages.join(),
})

/** The message names the package, the platform and the remedy. */
const sentenceOn = (name: string) =>
  new RegExp(
    `The package ${name} cannot be loaded on ${process.platform}-\\S+[^.]*"npm ci"[^.]+\\.`,
  )

/** A new folder, and users in it with a hash of the given kind. */
async function newFolderWith(users: Record<string, string> = {}) {
  const cli = await newCli()
  for (const [username, hasher] of Object.entries(users)) {
    const options = ['--username', username, '--password-stdin']
    const env = { PASSWORD_HASHERS: hasher }
    const created = await cli.run(['user', 'create', ...options], { env, input: PASSWORD })
    expect(created).toMatchObject({ code: 0, stderr: '' })
  }
  return cli
}

async function logIn(url: string, username: string, password: string) {
  const reply = await fetch(`${url}login/`, {
    method: 'POST',
    headers: { ...ONCE, 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  const retryAfter = reply.headers.get('retry-after')
  return { status: reply.status, retryAfter, body: await reply.json() }
}

test('without bcrypt only those with such a hash wait; everybody else logs in', async () => {
  const { cwd, run, serve } = await newFolderWith({
    ada: 'argon2',
    bob: 'bcrypt',
    eve: 'bcrypt_sha256',
  })
  const { child, ended } = startProgram(cwd, ['serve'], broken('bcrypt'))
  const url = await printedAddress(child)
  const log = text(child.stdout)
  const unavailable = {
    status: 503,
    retryAfter: '5',
    body: { detail: 'Service temporarily unavailable, try again later.' },
  }
  // A second round: what happened in the first must not change the answers for other users.
  for (const _ of ['once', 'again']) {
    expect(await logIn(url, 'bob', PASSWORD)).toEqual(unavailable)
    expect(await logIn(url, 'bob', 'wrong')).toEqual(unavailable)
    expect(await logIn(url, 'eve', PASSWORD)).toEqual(unavailable)
    expect(await logIn(url, 'ada', PASSWORD)).toMatchObject({ status: 200 })
    expect(await logIn(url, 'ada', 'wrong')).toMatchObject({ status: 400 })
    expect(await logIn(url, 'nobody', PASSWORD)).toMatchObject({ status: 400 })
  }
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  const warnings = (await log).split('\n').filter((line) => line.includes('"msg":"unavailable"'))
  expect(warnings).toHaveLength(6)
  expect(JSON.parse(warnings[0] ?? '').err.message).toMatch(sentenceOn('bcrypt'))

  // In this process nothing is broken.
  const mended = await serve()
  expect(await logIn(mended.url, 'bob', PASSWORD)).toMatchObject({ status: 200 })
  expect(await run(['check'])).toMatchObject({ code: 0 })
})

test('check names a package that is broken, although the service starts without it', async () => {
  const { cwd } = await newFolderWith()
  const { code, stdout } = await runProgram(cwd, ['check'], { env: broken('bcrypt') })
  expect(code).toBe(1)
  const [, ...others] = stdout.match(/^fix .*$/gm) ?? []
  expect(others).toEqual([])
  expect(stdout).toMatch(/^fix {3}package bcrypt: .* cannot be loaded on .*\. Install .*"npm ci"/m)
  expect(stdout).toMatch(/^ok {4}package @node-rs\/argon2: can be loaded$/m)
})

test.each([
  ['@node-rs/argon2', []],
  ['libsql', []],
  ['bcrypt', ['--set', 'PASSWORD_HASHERS=bcrypt,argon2']],
  ['bcrypt', ['--set', 'PASSWORD_HASHERS=bcrypt_sha256,argon2']],
])('%s that is needed to serve stops the start with one sentence', async (name, options) => {
  const { cwd } = await newFolderWith()
  // The driver of SQLite consists of several packages.
  const env = broken(name === 'libsql' ? '@libsql' : name)
  const { code, stdout, stderr } = await runProgram(cwd, ['serve', ...options], { env })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^.+\n$/)
  expect(stderr).toMatch(sentenceOn(name))
})

test('a hasher other than argon2 is a remedy', async () => {
  const { cwd } = await newFolderWith({ ada: 'argon2', sol: 'scrypt' })
  const options = ['--set', 'PASSWORD_HASHERS=scrypt,argon2']
  const { child } = startProgram(cwd, ['serve', ...options], broken('@node-rs/argon2'))
  const url = await printedAddress(child)
  expect(await logIn(url, 'ada', PASSWORD)).toMatchObject({ status: 503 })
  expect(await logIn(url, 'sol', PASSWORD)).toMatchObject({ status: 200 })
})

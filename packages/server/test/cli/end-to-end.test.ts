import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { client } from './support/cli.ts'
import { heldLogin, untilRefused } from './support/held-login.ts'
import { newFolder, PROGRAM, printedAddress } from './support/program.ts'

const ADA = { username: 'ada', password: 'a-good-password' }

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
  for (const id of ids) await fetch(`${url}user/`, { headers: { 'X-Request-Id': id } })
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
  // Far more lines than a pipe holds.
  for (let count = 0; count < 1500; count++) expect((await fetch(`${url}user/`)).status).toBe(401)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

test('an output that takes nothing does not hang it', async ({ skip }) => {
  skip(!existsSync('/dev/full'), 'this system has no /dev/full.')
  const { cwd } = await newFolder()
  const stdio = ['ignore', openSync('/dev/full', 'w'), 'ignore'] as const
  const env = { PATH: process.env.PATH, PORT: '0' }
  const child = spawn(process.execPath, [PROGRAM, 'serve'], { cwd, env, stdio: [...stdio] })
  onTestFinished(() => void child.kill('SIGKILL'))
  expect(await once(child, 'exit')).toEqual([expect.any(Number), null])
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

test('every command ends, with its documented exit code', async () => {
  const { run } = await newFolder()
  expect(await run(['migrate'])).toMatchObject({ code: 0, stderr: '' })
  expect(await run(['user', 'list', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
  expect(await run(['user', 'delete', 'ada'])).toMatchObject({ code: 1, stdout: '' })
  expect(await run(['user', 'delte', 'ada'])).toMatchObject({ code: 2, stdout: '' })
})

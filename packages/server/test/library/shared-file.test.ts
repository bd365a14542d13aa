import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { PROGRAM, runProgram } from '../cli/support/program.ts'
import { newDatabaseFolder } from '../support/database-folder.ts'

const LIBRARY = new URL('../../dist/index.js', import.meta.url).href
const LIST = ['user', 'list', '--json']

/**
 * A host that makes a second service over the same file, as a hot reload does. A command begins and
 * ends between any two registrations, and at last the host is killed.
 */
const HOST = `
  import { execFileSync } from 'node:child_process'
  import { createAuth } from '${LIBRARY}'
  const log = { info() {}, warn() {}, error() {} }
  const open = () => createAuth({ EMAIL_URL: 'file:mails' }, { log })
  const runCommand = () => execFileSync(process.execPath, ['${PROGRAM}', ${LIST.map((word) => `'${word}'`)}])
  const register = async (auth, username) => {
    const password = 'Nn-5566-yy-lantern'
    const email = username + '@example.com'
    const body = JSON.stringify({ username, email, password1: password, password2: password })
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://localhost/auth/registration/', { method: 'POST', headers, body })
    const { status } = await auth.fetch(request)
    if (status === 201) console.log(username)
  }
  const one = await open()
  await register(one, 'ada')
  const other = await open()
  runCommand()
  await register(one, 'ben')
  await register(other, 'cleo')
  runCommand()
  await register(one, 'dan')
  await other.close()
  runCommand()
  await register(one, 'eve')
  const third = await open()
  runCommand()
  await register(third, 'finn')
  process.kill(process.pid, 'SIGKILL')`

test('no registration is lost when services of one process share a file with commands', async () => {
  const cwd = await newDatabaseFolder('shared')
  const env = { PATH: process.env.PATH }
  const host = spawn(process.execPath, ['--input-type=module', '-e', HOST], { cwd, env })
  const [acknowledged, errors] = await Promise.all([text(host.stdout), text(host.stderr)])
  expect(errors).toBe('')
  expect(acknowledged.split('\n')).toEqual(['ada', 'ben', 'cleo', 'dan', 'eve', 'finn', ''])

  const { stdout } = await runProgram(cwd, LIST)
  const names = JSON.parse(stdout).map(({ username }: { username: string }) => username)
  expect(names.toSorted()).toEqual(['ada', 'ben', 'cleo', 'dan', 'eve', 'finn'])
})

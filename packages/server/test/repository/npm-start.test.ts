import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { platform } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { heldLogin, untilRefused } from '../cli/support/held-login.ts'
import { printedAddress, runProgram } from '../cli/support/program.ts'
import { newDatabaseFolder } from '../support/database-folder.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const ADA = { username: 'ada', password: 'a-good-password' }

test('npm start runs where the shell has no exec, too', async () => {
  const exec = join(ROOT, 'scripts/exec-on-windows/exec.js')
  const program = spawn(process.execPath, [exec, 'latchkey', 'version'])
  expect(await text(program.stdout)).toMatch(/^\d+\.\d+\.\d+/)
})

test.skipIf(platform() === 'win32')(
  'a signal to npm start ends the service, after the request under way',
  async () => {
    const folder = await newDatabaseFolder('npm-start')
    const DATABASE_URL = `sqlite:${join(folder, 'latchkey.db')}`
    const env = { PATH: process.env.PATH ?? '', DATABASE_URL, LOG_LEVEL: 'silent' }
    const create = ['user', 'create', '--username', ADA.username, '--password-stdin']
    await runProgram(folder, create, { input: ADA.password, env })

    // Arguments after `--` are those of `serve`. The group is killed if the test fails.
    const args = ['start', '--', '--set', 'PORT=0']
    const npm = spawn('npm', args, { cwd: ROOT, env, detached: true })
    const ended = once(npm, 'exit')
    onTestFinished(() => {
      try {
        process.kill(-Number(npm.pid), 'SIGKILL')
      } catch {
        // All of them have ended.
      }
    })
    const errors = text(npm.stderr)
    const url = await printedAddress(npm)
    const login = await heldLogin(url, ADA)
    npm.kill('SIGTERM')
    await untilRefused(url)
    expect(await login.finish()).toMatchObject({ status: 200, connection: 'close' })
    expect(await ended).toEqual([0, null])
    // It closes when the last process that could write to it has ended.
    expect(await errors).not.toContain('Error')
  },
)

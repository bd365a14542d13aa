import { existsSync } from 'node:fs'
import { cp, readdir, rename, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createWarmUp } from '../../src/core/warm-up.ts'
import { SECOND } from '../../src/kernel/clock.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { connect } from '../../src/storage/connect.ts'
import { countRows } from '../support/dump.ts'
import { newFolder, PROGRAM, printedAddress, startProgram } from './support/program.ts'

const PACKAGES = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

/** A copy of the program from which parts can be removed. */
async function copyProgram(folder: string) {
  const from = dirname(dirname(PROGRAM))
  const filter = (path: string) => !path.endsWith('.map')
  // With the code that the build has compiled, it starts sooner. A read-only checkout has none.
  for (const part of ['bin', 'dist', 'code-cache', 'package.json']) {
    const source = join(from, part)
    if (existsSync(source)) await cp(source, join(folder, part), { recursive: true, filter })
  }
  await symlink(PACKAGES, join(folder, 'node_modules'))
  const dist = join(folder, 'dist')
  return {
    program: join(folder, 'bin', 'latchkey.js'),
    async takeOut(name: string): Promise<void> {
      const parts = (await readdir(dist)).filter((part) => part.startsWith(name))
      expect(parts).not.toEqual([])
      for (const part of parts) await rename(join(dist, part), join(folder, part))
    },
  }
}

test('the pages for operators are loaded soon after the start, before an upgrade deletes their files', async () => {
  const { cwd } = await newFolder()
  const { program, takeOut } = await copyProgram(cwd)
  await takeOut('pages')
  const env = { PORT: '0', MODULES: 'mfa,pages,admin', ADMIN_LISTEN: 'public' }
  const { child } = startProgram(cwd, ['serve'], env, program)
  let log = ''
  for await (const chunk of child.stdout) {
    log += chunk
    if (log.includes('admin/manifest.json')) break
  }
  expect(log).toContain('a part of the program cannot be loaded')
})

async function post(url: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: reply.status, body: (await reply.json()) as { session_id: string } }
}

test('a login is not used up where the part that verifies passkeys cannot be loaded', async () => {
  const { cwd } = await newFolder()
  const { program, takeOut } = await copyProgram(cwd)
  await takeOut('verify-assertion')
  const { child, ended } = startProgram(cwd, ['serve'], { PORT: '0' }, program)
  const url = await printedAddress(child)
  const { body } = await post(`${url}passkeys/login/begin/`, {})
  const credential = { id: 'x', rawId: 'x', type: 'public-key', response: {} }
  const { session_id } = body
  const reply = await post(`${url}passkeys/login/complete/`, { credential, session_id })
  expect(reply.status).toBe(500)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)

  const file = join(cwd, 'latchkey-data', 'latchkey.db')
  const { db, close } = connect(resolveSettings({ DATABASE_URL: `sqlite:${file}` }))
  expect(await countRows(db, 'passkey_challenges')).toBe(1)
  await close()
})

test('a part that is loaded while the service stops ends before the database, and is no error', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let fail = (_: Error): void => {}
  const first = new Promise((_, reject) => {
    fail = reject
  })
  const second = vi.fn(async () => {})
  const error = vi.fn()
  const { start, stop } = createWarmUp([() => first, second], {
    info: vi.fn(),
    warn: vi.fn(),
    error,
  })
  start()
  await vi.advanceTimersByTimeAsync(2 * SECOND)
  let hasStopped = false
  const stopped = stop().then(() => {
    hasStopped = true
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(hasStopped).toBe(false)
  fail(new Error('driver has already been destroyed'))
  await stopped
  expect(second).not.toHaveBeenCalled()
  expect(error).not.toHaveBeenCalled()
})

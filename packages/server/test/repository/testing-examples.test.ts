import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileIn, ROOT } from './support/documents.ts'

const PAGE = 'docs/testing.md'
/** A start of the program, on a machine that has other work to do. */
const SLOW = { timeout: 120_000 }

/** A project of somebody who uses the package, with these files of the page. */
function projectWith(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-testing-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  // A copy: Vitest would transform the files of a link, and that takes as long as the tests.
  const installed = join(folder, 'node_modules/latchkey')
  for (const name of ['package.json', 'bin', 'dist', 'words']) {
    const filter = (path: string) => !path.endsWith('.map')
    cpSync(join(ROOT, 'packages/server', name), join(installed, name), { recursive: true, filter })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(installed, 'node_modules'))
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  for (const name of names) writeFileSync(join(folder, name), fileIn(PAGE, name))
  return folder
}

function run(program: string, args: readonly string[], cwd: string, env = {}) {
  const { PATH, HOME } = process.env
  const options = { cwd, encoding: 'utf8', env: { PATH, HOME, ...env } } as const
  const { status, stdout, stderr } = spawnSync(program, args, options)
  return { status, output: `${stdout}${stderr}` }
}

test('the tests for Vitest pass as they stand', SLOW, () => {
  const folder = projectWith('login.test.ts')
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const { status, output } = run(process.execPath, [vitest, 'run', '--root', folder], folder)
  expect({ status, output }).toMatchObject({ status: 0, output: expect.stringMatching(/3 passed/) })
})

test('the tests for pytest pass as they stand', SLOW, ({ skip }) => {
  const hasPytest = spawnSync('python3', ['-c', 'import pytest']).status === 0
  skip(!hasPytest, 'Python 3 with pytest is not installed.')
  const folder = projectWith('conftest.py', 'test_login.py')
  const program = join(ROOT, 'packages/server/bin/latchkey.js')
  const env = { LATCHKEY: `${process.execPath} ${program}`, PYTHONDONTWRITEBYTECODE: '1' }
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider']
  const { status, output } = run('python3', args, folder, env)
  expect({ status, output }).toMatchObject({
    status: 0,
    output: expect.stringContaining('3 passed'),
  })
})

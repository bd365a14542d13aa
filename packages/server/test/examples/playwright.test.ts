import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import workspace from '../../../../package.json' with { type: 'json' }
import { browserForTests } from '../../../../scripts/browser/find-browser.js'
import { unpackBrowser } from '../../../../scripts/browser/packaged-browser.js'
import { npm } from '../../../../scripts/lockfile/apart.js'
import manifest from '../../package.json' with { type: 'json' }
import { folderOf } from '../package/support.ts'
import { fileIn, ROOT } from '../repository/support/documents.ts'

/** It installs the runner, which the other tests do not need. */
const SLOW = { timeout: 300_000 }

const configOf = (executablePath: string) => `
export default {
  workers: 2,
  reporter: 'line',
  fullyParallel: true,
  use: { launchOptions: { executablePath: ${JSON.stringify(executablePath)}, args: ['--no-sandbox'] } },
}`

test('the tests for Playwright in docs/testing.md pass as they stand', SLOW, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-playwright-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const version = workspace.devDependencies['playwright-core']
  npm(['install', '--ignore-scripts', '--loglevel=error', `@playwright/test@${version}`], folder)
  installCopy(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'account.spec.ts'), fileIn('docs/testing.md', 'account.spec.ts'))
  const found = browserForTests()
  const browser = found && 'path' in found ? found.path : await unpacked(folder)
  writeFileSync(join(folder, 'playwright.config.js'), configOf(browser))

  const args = [join(folder, 'node_modules/@playwright/test/cli.js'), 'test']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    ...{ cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: folder } },
  })
  const output = `${stdout}${stderr}`
  expect({ status, output }).toMatchObject({
    status: 0,
    output: expect.stringContaining('3 passed'),
  })
})

/** A copy of the package: a link would lead to a place where the runner is not installed. */
function installCopy(modules: string): void {
  for (const part of [...manifest.files, 'package.json']) {
    const from = join(ROOT, 'packages/server', part)
    if (existsSync(from)) cpSync(from, join(modules, 'latchkey', part), { recursive: true })
  }
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(folderOf(name), join(modules, name))
  }
}

async function unpacked(folder: string): Promise<string> {
  mkdirSync(join(folder, 'browser'))
  return unpackBrowser(join(folder, 'browser'))
}

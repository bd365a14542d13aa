import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  browserForTests,
  findBrowser,
  NO_BROWSER,
} from '../../../../scripts/browser/find-browser.js'

/** A machine for which no package has a browser, with these files on it. */
async function newMachine(files: readonly string[] = []) {
  const home = await mkdtemp(join(tmpdir(), 'latchkey-home-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  for (const file of files) {
    await mkdir(dirname(join(home, file)), { recursive: true })
    await writeFile(join(home, file), '', { mode: 0o755 })
  }
  const at = (file: string) => join(home, file)
  const env: Record<string, string> = { PATH: ['bin', 'local/bin'].map(at).join(delimiter) }
  return { at, machine: { env, platform: 'linux', arch: 'arm64', home } }
}

const PLAYWRIGHT = '.cache/ms-playwright'
const KEPT = `${PLAYWRIGHT}/chromium-1200/chrome-linux/chrome`

test('the browser that is named comes before all others', async () => {
  const { at, machine } = await newMachine(['mine', 'bin/chromium', KEPT])
  const env = { ...machine.env, CHROMIUM_PATH: at('mine') }
  expect(findBrowser({ ...machine, env })).toEqual({ from: 'CHROMIUM_PATH', path: at('mine') })
})

test('a named browser that does not exist is never replaced by another', async () => {
  const { at, machine } = await newMachine(['bin/chromium'])
  const env = { ...machine.env, CHROMIUM_PATH: at('mine') }
  expect(() => findBrowser({ ...machine, env })).toThrow(
    `no program that can be run: ${at('mine')}`,
  )
})

test.each(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'])(
  '%s on the PATH comes before one that Playwright keeps',
  async (name) => {
    const { at, machine } = await newMachine([`local/bin/${name}`, KEPT])
    const path = at(`local/bin/${name}`)
    expect(findBrowser(machine)).toEqual({ from: 'PATH', path })
  },
)

test('a browser without a window comes first', async () => {
  const { at, machine } = await newMachine(['bin/chromium', 'local/bin/chromium-headless-shell'])
  const path = at('local/bin/chromium-headless-shell')
  expect(findBrowser(machine)).toEqual({ from: 'PATH', path })
})

test('what cannot be run is no browser', async () => {
  const { at, machine } = await newMachine(['bin/chromium', 'bin/chrome/file'])
  await chmod(at('bin/chromium'), 0o644)
  expect(findBrowser(machine)).toBeNull()
})

test('of those that Playwright keeps the newest whole one is taken', async () => {
  const { at, machine } = await newMachine([
    `${PLAYWRIGHT}/chromium-999/chrome-linux/chrome`,
    KEPT,
    `${PLAYWRIGHT}/chromium_headless_shell-1300/chrome-linux/headless_shell`,
    `${PLAYWRIGHT}/firefox-1400/firefox/firefox`,
  ])
  expect(findBrowser(machine)).toEqual({ from: 'Playwright', path: at(KEPT) })
})

test.each([
  ['linux', `${PLAYWRIGHT}/chromium-1300/chrome-linux-arm64/chrome`],
  ['linux', `${PLAYWRIGHT}/chromium_headless_shell-1300/chrome-linux/headless_shell`],
  [
    'darwin',
    'Library/Caches/ms-playwright/chromium-1300/chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  ],
  ['win32', 'ms-playwright/chromium-1300/chrome-win64/chrome.exe'],
])('on %s Playwright keeps %s', async (platform, file) => {
  const { at, machine } = await newMachine([file])
  expect(findBrowser({ ...machine, platform })).toEqual({ from: 'Playwright', path: at(file) })
})

test('the folder of Playwright can be moved', async () => {
  const { at, machine } = await newMachine(['kept/chromium-1300/chrome-linux64/chrome'])
  expect(findBrowser(machine)).toBeNull()
  const env = { ...machine.env, PLAYWRIGHT_BROWSERS_PATH: at('kept') }
  expect(findBrowser({ ...machine, env })).toMatchObject({ from: 'Playwright' })
})

test('the package comes last, and only where it can run', async () => {
  const { machine } = await newMachine()
  expect(findBrowser({ ...machine, arch: 'x64' })).toEqual({ from: 'package' })
  for (const [platform, arch] of [
    ['linux', 'arm64'],
    ['darwin', 'x64'],
    ['win32', 'x64'],
  ] as const) {
    expect(findBrowser({ ...machine, platform, arch })).toBeNull()
  }
})

test('where there is none tests are skipped, unless they are required', async () => {
  const { machine } = await newMachine()
  expect(browserForTests(machine)).toBeNull()
  for (const demand of [{ CI: 'true' }, { BROWSER_TESTS: 'required' }]) {
    const env = { ...machine.env, ...demand }
    expect(() => browserForTests({ ...machine, env })).toThrow(NO_BROWSER)
  }
  const { machine: other } = await newMachine(['bin/chromium'])
  const env = { ...other.env, CI: 'true' }
  expect(browserForTests({ ...other, env })).toMatchObject({ from: 'PATH' })
})

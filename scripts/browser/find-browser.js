import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/**
 * @typedef {{ from: 'CHROMIUM_PATH' | 'PATH' | 'Playwright', path: string }} InstalledBrowser
 * @typedef {{ from: 'package' }} PackagedBrowser It must be installed before use.
 * @typedef {{
 *   env: Record<string, string | undefined>, platform: string, arch: string, home: string,
 * }} Machine
 */

/** The rest of a sentence about the tests. */
export const NO_BROWSER =
  'no browser was found: install Chromium or Chrome (on Debian, "apt-get install chromium-headless-shell"), or let CHROMIUM_PATH name one.'

/**
 * The names of Chromium and Chrome, in the order in which they are tried. The one without a window
 * takes half the time.
 */
const PROGRAMS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'chromium.exe',
  'chrome.exe',
]

/** Paths inside a folder of Playwright. They depend on its version and the platform. */
const PLAYWRIGHT_PROGRAMS = [
  'chrome',
  'chrome.exe',
  join('Google Chrome for Testing.app', 'Contents', 'MacOS', 'Google Chrome for Testing'),
  join('Chromium.app', 'Contents', 'MacOS', 'Chromium'),
  'chrome-headless-shell',
  'chrome-headless-shell.exe',
  'headless_shell',
  'headless_shell.exe',
]

/**
 * The browser that the tests use: the one that is named, one that is installed, or the one that
 * comes as a package (`packaged-browser.js`), which is built for one platform only.
 * @param {Partial<Machine>} [machine]
 * @returns {InstalledBrowser | PackagedBrowser | null}
 */
export function findBrowser({
  env = process.env,
  platform = process.platform,
  arch = process.arch,
  home = homedir(),
} = {}) {
  const { CHROMIUM_PATH: named } = env
  if (named) {
    // With another browser, the result would say that the named one was tested.
    if (!isProgram(named)) throw new Error(`CHROMIUM_PATH is no program that can be run: ${named}`)
    return { from: 'CHROMIUM_PATH', path: named }
  }
  const onPath = PROGRAMS.flatMap((name) => foldersOf(env).map((folder) => join(folder, name)))
  const installed = onPath.find(isProgram)
  if (installed) return { from: 'PATH', path: installed }

  const kept = programsIn(playwrightFolder(env, platform, home)).find(isProgram)
  if (kept) return { from: 'Playwright', path: kept }

  return platform === 'linux' && arch === 'x64' ? { from: 'package' } : null
}

/**
 * As above, but fails if there is no browser although one is required. On a build server nobody
 * would notice that the tests are always skipped.
 * @param {Partial<Machine>} [machine]
 */
export function browserForTests(machine = {}) {
  const found = findBrowser(machine)
  if (!found && isRequired(machine.env)) {
    throw new Error(`These tests must run, and ${NO_BROWSER}`)
  }
  return found
}

/**
 * Whether a missing browser is a failure.
 * @param {Machine['env']} [env]
 */
export function isRequired({ CI, BROWSER_TESTS } = process.env) {
  return CI === 'true' || BROWSER_TESTS === 'required'
}

/** An empty entry would mean the working folder. */
const foldersOf = ({ PATH = '' }) => PATH.split(delimiter).filter(Boolean)

function playwrightFolder({ PLAYWRIGHT_BROWSERS_PATH, LOCALAPPDATA }, platform, home) {
  if (PLAYWRIGHT_BROWSERS_PATH) return PLAYWRIGHT_BROWSERS_PATH
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'ms-playwright')
  if (platform === 'win32') return join(LOCALAPPDATA ?? home, 'ms-playwright')
  return join(home, '.cache', 'ms-playwright')
}

/** Full browsers come before headless ones, and newer ones before older ones. */
function programsIn(folder) {
  const builds = ['chromium', 'chromium_headless_shell'].flatMap((kind) => {
    const versionOf = (name) => Number(name.slice(kind.length + 1))
    return namesIn(folder)
      .filter((name) => name.startsWith(`${kind}-`) && versionOf(name) > 0)
      .sort((a, b) => versionOf(b) - versionOf(a))
  })
  return builds.flatMap((build) =>
    namesIn(join(folder, build)).flatMap((inner) =>
      PLAYWRIGHT_PROGRAMS.map((program) => join(folder, build, inner, program)),
    ),
  )
}

function namesIn(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

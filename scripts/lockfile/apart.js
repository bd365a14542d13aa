import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const ROOT = dirname(dirname(import.meta.dirname))

/** Folders with a lockfile of their own: they are large, and few people need them. */
export const APART = ['bench/peers', 'examples/next', 'scripts/browser/package']

/** Our own packages are linked, since this version of them is on no registry. */
const OURS = ['latchkey', 'latchkey-client']

/** Copies the manifest of a folder without our own packages, and its lockfile. */
export function copyManifest(folder, target) {
  const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  for (const name of OURS) delete manifest.dependencies[name]
  mkdirSync(target, { recursive: true })
  writeFileSync(join(target, 'package.json'), JSON.stringify(manifest, null, 2))
  for (const [from, to] of [
    ['.npmrc', '.npmrc'],
    [join(folder, 'package-lock.json'), 'package-lock.json'],
  ]) {
    cpSync(join(ROOT, from), join(target, to))
  }
}

/** Installs the packages of such a folder into `target`, exactly those of its lockfile. */
export function installApart(folder, target) {
  copyManifest(folder, target)
  npm(['ci', '--ignore-scripts', '--prefer-offline', '--loglevel=error'], target)
}

/** Runs npm: the one that runs this program, or the one on the PATH. */
export function npm(args, cwd, stdio = 'pipe') {
  const { npm_execpath: own } = process.env
  const [program, ...first] = own ? [process.execPath, own] : ['npm']
  return execFileSync(program, [...first, ...args], {
    cwd,
    stdio,
    shell: !own && process.platform === 'win32',
  })
}

// Writes package-lock.json in an empty folder: `npm run lock`. Where node_modules is at hand npm
// writes down what lies there, and that is only the packages of one platform.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const project = dirname(import.meta.dirname)
const { workspaces } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
const manifests = ['.', ...workspaces].map((folder) => join(folder, 'package.json'))

const empty = mkdtempSync(join(tmpdir(), 'latchkey-lock-'))
try {
  // Starts from the current lockfile, so that versions change only if a manifest requires it.
  for (const file of [...manifests, '.npmrc', 'package-lock.json']) {
    cpSync(join(project, file), join(empty, file))
  }
  const npm = [process.env.npm_execpath, 'install', '--package-lock-only', '--ignore-scripts']
  execFileSync(process.execPath, npm, { cwd: empty, stdio: 'inherit' })
  cpSync(join(empty, 'package-lock.json'), join(project, 'package-lock.json'))
} finally {
  rmSync(empty, { recursive: true })
}

// Writes each package-lock.json in an empty folder: `npm run lock`. Where node_modules is at hand npm
// writes down what lies there, and that is only the packages of one platform.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { APART, copyManifest, npm, ROOT } from './lockfile/apart.js'

const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

writeLockfile('.', (empty) => {
  const manifests = ['.', ...workspaces].map((folder) => join(folder, 'package.json'))
  // Starts from the current lockfile, so that versions change only if a manifest requires it.
  for (const file of [...manifests, '.npmrc', 'package-lock.json']) {
    cpSync(join(ROOT, file), join(empty, file))
  }
})
for (const folder of APART) writeLockfile(folder, (empty) => copyManifest(folder, empty))

function writeLockfile(folder, prepare) {
  const empty = mkdtempSync(join(tmpdir(), 'latchkey-lock-'))
  try {
    prepare(empty)
    npm(['install', '--package-lock-only', '--ignore-scripts'], empty, 'inherit')
    cpSync(join(empty, 'package-lock.json'), join(ROOT, folder, 'package-lock.json'))
  } finally {
    rmSync(empty, { recursive: true })
  }
}

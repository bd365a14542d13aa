// The exit code tells whether `dist` is built from the current sources. So a read-only checkout can be
// tested without a build. With --remember, the current state counts as built.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const STAMP = join(ROOT, 'node_modules/.cache/latchkey-build')

/** The sources, the build scripts and the result, so that a changed result is noticed, too. */
const PARTS = [
  ...['src', 'dist', 'words', 'package.json', 'tsconfig.json', 'tsconfig.build.json'],
  ...['build.js', 'build', 'vite.config.ts'],
]

/** The lockfile is part of the result: the bill of materials has its hashes. */
const SHARED = ['tsconfig.json', 'package-lock.json'].map((name) => join(ROOT, name))

function fingerprint() {
  const hash = createHash('sha256')
  const packages = readdirSync(join(ROOT, 'packages')).map((name) => join(ROOT, 'packages', name))
  const files = packages.flatMap((folder) => PARTS.flatMap((part) => filesIn(join(folder, part))))
  for (const file of [...SHARED, ...files.sort()]) {
    hash
      .update(`${relative(ROOT, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesIn(path) {
  try {
    const entries = readdirSync(path, { withFileTypes: true, recursive: true })
    return entries.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name))
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    if (error.code === 'ENOENT') return []
    throw error
  }
}

function remembered() {
  try {
    return readFileSync(STAMP, 'utf8')
  } catch {
    return null
  }
}

if (process.argv.includes('--remember')) {
  mkdirSync(dirname(STAMP), { recursive: true })
  writeFileSync(STAMP, fingerprint())
} else {
  process.exitCode = remembered() === fingerprint() ? 0 : 1
}

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
export const server = join(root, 'packages/server')
const OWNER_MAY_WRITE = 0o200

/** Packs a copy of the build, since tests must not write into the checkout. */
export async function pack() {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-pack-'))
  const copy = join(folder, 'package')
  // Tests and sources are copied, too, to check that they are not packed.
  for (const name of ['package.json', 'bin', 'dist', 'words', 'src', 'test']) {
    cpSync(join(server, name), join(copy, name), { recursive: true })
  }
  // The copy of a read-only checkout could not be deleted.
  for (const name of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
    const path = join(copy, name)
    chmodSync(path, statSync(path).mode | OWNER_MAY_WRITE)
  }
  execFileSync(process.execPath, [join(root, 'scripts/copy-documents.js'), copy])
  const options = ['--ignore-scripts', '--json', '--pack-destination', folder]
  const answer = execFileSync('npm', ['pack', ...options], { cwd: copy, encoding: 'utf8' })
  const [packed] = JSON.parse(answer) as { filename: string; files: { path: string }[] }[]
  if (!packed) throw new Error('Nothing was packed.')
  return {
    tarball: join(folder, packed.filename),
    files: packed.files.map(({ path }) => path),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/**
 * An empty folder with the package in it. Only its dependencies are linked from this project, so
 * the tests need no network.
 */
export async function install(tarball: string) {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-host-'))
  const modules = join(folder, 'node_modules')
  const target = join(modules, 'latchkey')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  mkdirSync(target)
  execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components', '1'])
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  symlinkSync('../latchkey/bin/latchkey.js', join(modules, '.bin/latchkey'))

  const manifest = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'))
  for (const name of [...Object.keys(manifest.dependencies), 'fastify', '@types/node']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(folderOf(name), join(modules, name))
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** The folder of the package that our own code imports. */
export function folderOf(name: string): string {
  const paths = createRequire(join(server, 'package.json')).resolve.paths(name) ?? []
  for (const path of paths) {
    const folder = join(path, name)
    try {
      readFileSync(join(folder, 'package.json'))
      return folder
    } catch {}
  }
  throw new Error(`${name} is not installed.`)
}

export const tsc = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
)

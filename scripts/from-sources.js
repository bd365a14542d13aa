import { cpSync, rmSync } from 'node:fs'
import { mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const ROOT = here('..')
const SERVER = join(ROOT, 'packages/server')

/**
 * Loads parts of the service that the package does not export: `{ 'storage/connect.ts': 'connect' }`.
 * They are bundled together, so that they share what they have in common.
 */
export async function fromSources(wanted) {
  const lines = Object.entries(wanted).map(
    ([file, names]) => `export { ${names} } from ${JSON.stringify(join(SERVER, 'src', file))}`,
  )
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-sources-'))
  // Native packages are loaded when they are used.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  // What sources look for beside them. On Windows, only a junction needs no special rights.
  cpSync(join(SERVER, 'package.json'), join(folder, 'package.json'))
  await symlink(join(SERVER, 'words'), join(folder, 'words'), 'junction')
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const file = join(folder, 'src/entry.js')
  await build({
    input: 'entry',
    platform: 'node',
    // The bundler brings its own helpers.
    external: (id) => /^[@\w]/.test(id) && !id.startsWith('@oxc-project/'),
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' || id.startsWith(ROOT) ? { id, external: false } : null),
        load: (id) => (id === 'entry' ? lines.join('\n') : null),
      },
    ],
    output: { file, format: 'esm', codeSplitting: false },
    logLevel: 'silent',
  })
  return await import(pathToFileURL(file).href)
}

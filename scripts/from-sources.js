import { rmSync } from 'node:fs'
import { mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const SRC = here('../packages/server/src')

/**
 * Loads parts of the service that the package does not export: `{ 'storage/connect.ts': 'connect' }`.
 * They are bundled together, so that they share what they have in common.
 */
export async function fromSources(wanted) {
  const lines = Object.entries(wanted).map(
    ([file, names]) => `export { ${names} } from ${JSON.stringify(join(SRC, file))}`,
  )
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-sources-'))
  // Native packages are loaded when they are used.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  // Packages are looked for beside the bundle. On Windows, only a junction needs no special rights.
  await symlink(here('../node_modules'), join(folder, 'node_modules'), 'junction')
  await build({
    input: 'entry',
    platform: 'node',
    // The bundler brings its own helpers.
    external: (id) => /^[@\w]/.test(id) && !id.startsWith('@oxc-project/'),
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' || id.startsWith(SRC) ? { id, external: false } : null),
        load: (id) => (id === 'entry' ? lines.join('\n') : null),
      },
    ],
    output: { file: join(folder, 'entry.js'), format: 'esm', codeSplitting: false },
    logLevel: 'silent',
  })
  return await import(pathToFileURL(join(folder, 'entry.js')).href)
}

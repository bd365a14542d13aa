import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

const server = fileURLToPath(new URL('../packages/server/', import.meta.url))

/**
 * Imports one source file on its own, since the build bundles all of them. Use it only in scripts that write to the
 * checkout anyway, and for sources that read files of the package beside them. Otherwise use `fromSources`, which
 * writes to the temporary folder.
 */
export async function loadSource(path) {
  // Inside the package, so that its dependencies are found, and as deep in it as the sources.
  const folder = await mkdtemp(join(server, '.source-'))
  try {
    const { output } = await build({
      input: join(server, 'src', path),
      platform: 'node',
      external: /^(?!\.|\/)/,
      output: { dir: folder, format: 'esm' },
    })
    return await import(pathToFileURL(join(folder, output[0].fileName)).href)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

const server = fileURLToPath(new URL('../packages/server/', import.meta.url))

/** Imports one of our source files by itself: the build has them all in one piece. */
export async function loadSource(path) {
  // Inside the package, where its dependencies are found; as deep as the sources lie below it.
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

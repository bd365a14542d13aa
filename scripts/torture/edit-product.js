import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleService } from '../../packages/server/build/bundle.js'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const SERVER = here('../../packages/server')

/**
 * Builds the product with one edit of its sources, which stay as they are, and returns the path of the
 * `bin/latchkey.js` of the result. So nothing in the product itself can switch a guard off.
 */
export async function editProduct(folder, edit) {
  const own = await mkdtemp(join(folder, 'edited-'))
  const place = (...path) => join(own, ...path)
  await mkdir(place('bin'))
  await mkdir(place('dist'))
  // What is not bundled.
  for (const name of ['package.json', 'words', 'dist/pages', 'dist/api-page']) {
    await symlink(join(SERVER, name), place(name))
  }
  await symlink(here('../../node_modules'), place('node_modules'))
  const text = edited(await readFile(join(SERVER, edit.file), 'utf8'), edit)
  const plugin = {
    name: 'edit',
    load: (id) => (id === join(SERVER, edit.file) ? { code: text, moduleType: 'ts' } : null),
  }
  await bundleService(place('dist'), { plugins: [plugin] })
  const server = place('bin', 'latchkey.js')
  await writeFile(server, "import '../dist/main.js'\n")
  return server
}

/** An edit that no longer fits must not go unnoticed: the product would not be broken at all. */
export function edited(text, { file, from, to }) {
  const count = text.split(from).length - 1
  if (count !== 1) throw new Error(`"${from}" is ${count} times in ${file}, instead of once.`)
  return text.replace(from, () => to)
}

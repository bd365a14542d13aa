import { join } from 'node:path'

/**
 * What every start loads one after another. Node takes about a millisecond for each file, so each
 * layer is one file, instead of one for every set of commands that share a part of it.
 */
const LAYERS = [
  { name: 'base', root: 'src/cli/run.ts' },
  { name: 'settings', root: 'src/cli/serve/serve.ts' },
  { name: 'service', root: 'src/compose-service.ts', isLarge: true },
  { name: 'server', root: 'src/cli/serve/serving.ts', isLarge: true },
  // Not part of a start. A production image may delete it: `dist/testing*`.
  { name: 'testing-service', root: 'src/testing.ts', isLarge: true },
]

/**
 * Names the layer of a module, for the bundler. A module that something needs without the rest of a
 * large layer is not part of it: a supervisor does not load the service.
 */
export function createLayers(folder) {
  let layers

  return (id, graph) => {
    const getModuleInfo = (id) => graph.getModuleInfo(id)
    layers ??= LAYERS.map((layer) => ({ ...layer, modules: modulesOf(layer, getModuleInfo) }))
    return layers.find(({ modules }) => modules.has(id))?.name ?? null
  }

  function modulesOf({ root, isLarge = false }, getModuleInfo) {
    const start = join(folder, root)
    const modules = reachedFrom(start, getModuleInfo)
    if (!isLarge) return modules
    const others = entriesOf(getModuleInfo)
      // The test service uses the layers of the server, and does not decide what is in them.
      .filter((entry) => !entry.startsWith(join(folder, 'src/testing')))
      .map((entry) => reachedFrom(entry, getModuleInfo))
      .filter((reached) => !reached.has(start))
    return new Set([...modules].filter((id) => !others.some((reached) => reached.has(id))))
  }

  /** What is loaded on its own: the entries of the package, and every `import()`. */
  function entriesOf(getModuleInfo) {
    const entries = new Set(
      ['main', 'worker', 'index'].map((name) => join(folder, `src/${name}.ts`)),
    )
    const seen = new Set()
    for (const entry of entries) {
      for (const id of reachedFrom(entry, getModuleInfo)) {
        if (seen.has(id)) continue
        seen.add(id)
        for (const later of getModuleInfo(id)?.dynamicallyImportedIds ?? []) entries.add(later)
      }
    }
    return [...entries]
  }
}

/** The module and everything that it imports statically. */
function reachedFrom(start, getModuleInfo) {
  const reached = new Set([start])
  for (const id of reached) {
    for (const next of getModuleInfo(id)?.importedIds ?? []) reached.add(next)
  }
  return reached
}

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const IMPORTED = /((?:from |import\()['"])(\.{1,2}\/[^'"]+)\.ts(?=['"])/g

/** Removes declarations that the public API does not need, so that nobody depends on them. */
export function keepReachableTypes(folder, entries) {
  const reached = new Set()
  for (const entry of entries) visit(join(folder, entry))
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = join(folder, name)
    if (statSync(file).isFile() && !reached.has(file)) rmSync(file)
  }

  function visit(file) {
    if (reached.has(file)) return
    reached.add(file)
    const text = readFileSync(file, 'utf8')
    for (const [, , path] of text.matchAll(IMPORTED)) visit(join(file, '..', `${path}.d.ts`))
    // The compiler keeps the names of source files, which are not in the package.
    writeFileSync(file, text.replaceAll(IMPORTED, '$1$2.js'))
  }
}

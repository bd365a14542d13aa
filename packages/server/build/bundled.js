import { readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

const root = dirname(dirname(dirname(import.meta.dirname)))

/**
 * The packages that files of a bundle come from, each by its place in the lockfile.
 * @param {readonly string[]} files
 */
export function bundledPackages(files) {
  const places = new Set(files.map(placeOf).filter((place) => place !== null))
  return [...places].toSorted().map((place) => {
    const folder = join(root, place)
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    return { name, version, license, place, folder }
  })
}

/** `node_modules/@scope/name`, as the lockfile writes it. Null for our own files and the bundler's. */
function placeOf(file) {
  if (file.startsWith('\0')) return null
  const path = relative(root, file).split(sep).join('/')
  return /^.*(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? null
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }

/**
 * The modules of the package, by name, with their built declarations.
 *
 * @returns {[name: string, declarations: string][]}
 */
export const publishedTypes = () =>
  Object.entries(manifest.exports).flatMap(([path, { types }]) =>
    types
      ? [[join(manifest.name, path), readFileSync(join(import.meta.dirname, '..', types), 'utf8')]]
      : [],
  )

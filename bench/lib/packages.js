import { createRequire } from 'node:module'

/** Loads a package that the server depends on, in the version that the server uses. */
export const loadForServer = createRequire(
  new URL('../../packages/server/package.json', import.meta.url),
)

import { readFileSync } from 'node:fs'

/** As the package says; it lies beside the sources as well as beside the build. */
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

export const VERSION: string = manifest.version

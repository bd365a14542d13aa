import { readFileSync } from 'node:fs'

/** The version in package.json, which lies beside `src` and beside `dist`. */
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

export const VERSION: string = manifest.version

// Puts the README, the licence and the changelog beside the package, as it is packed: they are
// written once, for the whole project. `node copy-documents.js [folder]`
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = process.argv[2] ?? process.cwd()
const { repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const address = repository.url.replace(/^git\+|\.git$/g, '')

for (const name of ['LICENSE', 'CHANGELOG.md']) copyFileSync(join(root, name), join(folder, name))
// The documents that it points to are not in the package.
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const links = /\]\((?!\w+:|#)/g
writeFileSync(join(folder, 'README.md'), readme.replace(links, `](${address}/blob/main/`))

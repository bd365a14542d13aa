// Puts the README, the licence and the changelog beside the package, as it is packed: they are
// written once, for the whole project. `node copy-documents.js [folder [name …]]`; a package that has
// a README of its own names the others.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [folder = process.cwd(), ...named] = process.argv.slice(2)
const names = named.length > 0 ? named : ['LICENSE', 'CHANGELOG.md', 'README.md']
const { repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const address = repository.url.replace(/^git\+|\.git$/g, '')

// The documents and pictures that the README links to are not in the package.
const pictures = /(!\[[^\]]*\]\()(?!\w+:)/g
const links = /\]\((?!\w+:|#)/g
for (const name of names) {
  const text = readFileSync(join(root, name), 'utf8')
  const isReadme = name === 'README.md'
  writeFileSync(
    join(folder, name),
    isReadme
      ? text.replace(pictures, `$1${address}/raw/main/`).replace(links, `](${address}/blob/main/`)
      : text,
  )
}

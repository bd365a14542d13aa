import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The licence of every bundled package. Most licences require that a copy is kept with the code. */
export function licences(modules) {
  const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== null))
  const texts = [...folders].map(licenceOf).toSorted()
  return `Latchkey contains parts of these packages.\n\n${[...new Set(texts)].join('\n')}`
}

/** Null for our own files. */
function packageFolder(id) {
  if (!id.includes('/node_modules/')) return null
  let folder = dirname(id)
  // Some packages have further manifests inside, without a name.
  while (!isPackage(folder)) folder = dirname(folder)
  return folder
}

function isPackage(folder) {
  const file = join(folder, 'package.json')
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version !== undefined
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file ? `\n${readFileSync(join(folder, file), 'utf8').trim()}\n` : ''
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n${text}`
}

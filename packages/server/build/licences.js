import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The licence of every bundled package. Most licences require that a copy is kept with the code. */
export function licences(packages) {
  const texts = packages.map(licenceOf).toSorted()
  return `Latchkey contains parts of these packages.\n\n${[...new Set(texts)].join('\n')}`
}

function licenceOf({ name, version, license, folder }) {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file ? `\n${readFileSync(join(folder, file), 'utf8').trim()}\n` : ''
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n${text}`
}

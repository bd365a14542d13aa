// Fails if a lockfile would install only on the machine that wrote it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { APART, ROOT } from './lockfile/apart.js'
import { findFaults } from './lockfile/find-faults.js'

const own = ['.', ...APART].map((folder) => join(ROOT, folder, 'package-lock.json'))
const given = process.argv.slice(2)
for (const file of given.length > 0 ? given : own) {
  const faults = findFaults(JSON.parse(readFileSync(file, 'utf8')))
  for (const fault of faults) process.stderr.write(`${file}: ${fault}.\n`)
  if (faults.length > 0) process.exitCode = 1
}
if (process.exitCode) {
  process.stderr.write('Run "npm run lock" to write it again for every platform.\n')
}

// Fails if the lockfile would install only on the machine that wrote it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findFaults } from './lockfile/find-faults.js'

const file = process.argv[2] ?? fileURLToPath(new URL('../package-lock.json', import.meta.url))
const faults = findFaults(JSON.parse(readFileSync(file, 'utf8')))

for (const fault of faults) process.stderr.write(`package-lock.json: ${fault}.\n`)
if (faults.length > 0) {
  process.stderr.write('Run "npm run lock" to write it again for every platform.\n')
  process.exitCode = 1
}

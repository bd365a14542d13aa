// Fails where the lockfile would install on the machine that wrote it, and not on others.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findFaults } from './lockfile/find-faults.js'

const file = process.argv[2] ?? fileURLToPath(new URL('../package-lock.json', import.meta.url))
const faults = findFaults(JSON.parse(readFileSync(file, 'utf8')))

for (const fault of faults) process.stderr.write(`package-lock.json: ${fault}.\n`)
if (faults.length > 0) {
  process.stderr.write('"npm run lock" writes it anew, for every platform.\n')
  process.exitCode = 1
}

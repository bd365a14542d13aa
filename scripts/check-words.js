// Checks that every language says all that English says, with the same values in each text.
import { fileURLToPath } from 'node:url'
import { fromSources } from './from-sources.js'

const { inspectFolder } = await fromSources({ 'settings/words-files.ts': 'inspectFolder' })
const folder =
  process.argv[2] ?? fileURLToPath(new URL('../packages/server/words', import.meta.url))

const faults = inspectFolder(folder).flatMap(({ code, missing, wrong }) => [
  ...missing.map((name) => `${code}.json: ${name} is missing`),
  ...wrong.map((fault) => `${code}.json: ${fault}`),
])
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length > 0 ? 1 : 0

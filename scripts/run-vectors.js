// Runs public test vectors against our code: `npm run vectors -- <folder>`.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonWebSignature } from './vectors/json-web-signature.js'
import { webauthn } from './vectors/webauthn.js'

/** Each one names its file and returns what went wrong. Missing files are skipped. */
const suites = [jsonWebSignature, webauthn]

const folder = process.argv[2]
if (!folder) {
  process.stderr.write('Usage: npm run vectors -- <folder>\n')
  process.exit(2)
}

let ran = 0
for (const { file, run } of suites) {
  const path = join(folder, file)
  if (!existsSync(path)) continue
  const { checked, skipped, failures } = await run(JSON.parse(await readFile(path, 'utf8')))
  ran += 1
  process.stdout.write(
    `${file}: ${checked} checked, ${skipped} for other algorithms, ${failures.length} failed\n`,
  )
  for (const failure of failures) process.stdout.write(`  ${failure}\n`)
  if (failures.length > 0) process.exitCode = 1
}
if (ran === 0)
  throw new Error(`${folder} holds none of: ${suites.map(({ file }) => file).join(', ')}`)

// Runs all checks, one on each core, and prints what each has to say when it is done. A failed check
// does not keep the others from running.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'

/** What takes longest comes first, so that no core waits at the end. */
const CHECKS = [
  'tsc -p tsconfig.json',
  'knip',
  'biome check --error-on-warnings .',
  'tsc -p packages/ui',
  'tsc -p packages/client',
  'tsc -p examples',
  'node scripts/check-words.js',
  'node scripts/check-lockfile.js',
  'node scripts/check-sbom.js',
]

async function run(command) {
  const startedAt = performance.now()
  // A shell finds the programs of packages on every system.
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  const code = await ended
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  process.stdout.write(`${code === 0 ? 'ok' : 'FAILED'}: ${command} (${seconds} s)\n${out}${err}`)
  if (code !== 0) process.exitCode = 1
}

const waiting = [...CHECKS]
async function runOneAfterTheOther() {
  for (let next = waiting.shift(); next; next = waiting.shift()) await run(next)
}
await Promise.all(Array.from({ length: availableParallelism() }, runOneAfterTheOther))

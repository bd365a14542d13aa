import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

const VITEST = `${ROOT}/node_modules/vitest/vitest.mjs`
const LOOK_EVERY_MS = 10_000
/** A mutant that no longer lets the tests go on, not even to their time limit. */
const STALLED_MS = 120_000

/**
 * Returns everything that `try-mutants.js` tells. `isAtItsEnd` is false if nothing went on any more before the
 * last test, or if a mutant has ended the whole process.
 */
export async function runVitest(folder, plan, heard) {
  const output = join(folder, `${crypto.randomUUID()}.jsonl`)
  const planFile = join(folder, 'plan.json')
  await writeFile(planFile, JSON.stringify({ ...plan, output }))
  const config = '--config=scripts/mutants/vitest.config.js'
  const child = spawn(process.execPath, [VITEST, 'run', '--configLoader=runner', config], {
    cwd: ROOT,
    // Each repetition of a test adds to its listeners, of which Node would warn.
    env: { ...process.env, MUTANTS_PLAN: planFile, NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  })
  const stop = () => process.kill(-child.pid, 'SIGKILL')
  process.once('exit', stop)
  const ended = new Promise((resolve) => void child.once('exit', () => resolve('ended')))
  const told = () =>
    (existsSync(output) ? readFileSync(output, 'utf8') : '')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))

  let hasEnded = false
  let count = 0
  for (let silentMs = 0; silentMs < STALLED_MS; silentMs += LOOK_EVERY_MS) {
    hasEnded = (await Promise.race([ended, setTimeout(LOOK_EVERY_MS)])) === 'ended'
    if (hasEnded) break
    const lines = told()
    if (lines.length === count) continue
    count = lines.length
    silentMs = 0
    heard(lines)
  }
  process.off('exit', stop)
  if (!hasEnded) stop()
  const lines = told()
  return { lines: lines.filter((one) => !one.isOver), isAtItsEnd: lines.at(-1)?.isOver === true }
}

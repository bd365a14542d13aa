// Runs every benchmark, one after another, even if one misses its goal.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const BENCHMARKS = ['start', 'user-by-token', 'token-verify', 'refresh']

const missed = BENCHMARKS.filter((name) => {
  const file = fileURLToPath(new URL(`${name}.js`, import.meta.url))
  return spawnSync(process.execPath, [file], { stdio: 'inherit' }).status !== 0
})
process.stdout.write(
  missed.length === 0 ? 'Every goal was met.\n' : `Goals were missed in: ${missed.join(', ')}.\n`,
)
process.exitCode = missed.length === 0 ? 0 : 1

// Measures the time from the start of `latchkey serve` to its first answer, and of `latchkey version`.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROUNDS = 5
const GOAL_MS = 500

const latchkey = fileURLToPath(new URL('../packages/server/bin/latchkey.js', import.meta.url))
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

const folder = await mkdtemp(join(tmpdir(), 'latchkey-start-'))
const serves = []
const cpus = []
const versions = []
try {
  // The first start does not count: it makes the database, and loads the files into memory.
  await serve()
  for (let round = 0; round < ROUNDS; round++) {
    const { took, cpu } = await serve()
    serves.push(took)
    cpus.push(cpu)
    versions.push(timed([latchkey, 'version']))
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
report('serve to first answer', median(serves), ` (goal: at most ${GOAL_MS} ms)`)
if (!cpus.includes(null)) report('CPU until then', median(cpus))
report('version', median(versions))
report('Node alone', nodeAlone())
if (median(serves) > GOAL_MS) process.exitCode = 1

function report(what, ms, goal = '') {
  process.stdout.write(`${what.padEnd(22)}${Math.round(ms)} ms${goal}\n`)
}

async function serve() {
  const before = performance.now()
  const env = { PATH: process.env.PATH, PORT: '0' }
  const child = spawn(process.execPath, [latchkey, 'serve', '--json'], { cwd: folder, env })
  child.stderr.pipe(process.stderr)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const reply = await fetch(`${await printedUrl(child)}user/`)
  await reply.arrayBuffer()
  const took = performance.now() - before
  const cpu = cpuMs(child.pid)
  child.kill('SIGTERM')
  const code = await ended
  if (reply.status !== 401 || code !== 0) throw new Error(`answer ${reply.status}, exit ${code}`)
  return { took, cpu }
}

/** The processor time of the program. On a busy machine it tells more than the clock. Linux only. */
function cpuMs(pid) {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return null
  // The 14th and the 15th field, in hundredths of a second. The name before them may contain spaces.
  const fields = readFileSync(file, 'utf8').split(') ')[1].split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

function printedUrl(child) {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      const url = /"url":"([^"]+)"/.exec(output)?.[1]
      if (url) resolve(url)
    })
    child.once('exit', (code) => reject(new Error(`exit ${code}`)))
  })
}

function nodeAlone() {
  return median(Array.from({ length: ROUNDS }, () => timed(['--eval', '0'])))
}

function timed(args) {
  const before = performance.now()
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`exit ${status}`)
  return performance.now() - before
}

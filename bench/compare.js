// Shared by all benchmarks: measures the service and a bare server side by side, in one run.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requestsPerSecond } from './load.js'
import { createUser, logIn, median, start, thisProgram } from './service.js'

const SECONDS = Number(process.env.SECONDS ?? 3)
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const CONNECTIONS = 32

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Starts both, logs in, and compares them, round by round. `bare` is the file of the other
 * server; `requests(login, service, bare)` says what to send to each, given the login answer.
 * Below the goal, if there is one, the program ends with an error.
 */
export async function compare({ title, goal = null, settings = {}, bare, requests }) {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'))
  const file = join(folder, 'bench.db')
  const base = { ...process.env, DATABASE_URL: `sqlite:${file}`, PORT: '0', LOG_LEVEL: 'info' }
  const env = { ...base, ...settings }
  const running = []

  try {
    await createUser(thisProgram, { env })
    const service = await run([thisProgram, 'serve'])
    const login = await logIn(service)
    const other = await run([here(bare), file])
    const asked = requests(login, service, other)

    // The first round does not count, since code is compiled while it runs.
    await measure(asked.bare)
    await measure(asked.latchkey)
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ bare: await measure(asked.bare), latchkey: await measure(asked.latchkey) })
    }
    report(title, goal, rounds)
  } finally {
    for (const child of running) child.kill('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }

  async function run(args) {
    const log = join(folder, `${running.length}.log`)
    const { child, url } = await start(args, { env, log })
    running.push(child)
    return url
  }
}

/** Each round measures both within seconds, so a machine that slows down slows both. */
function report(title, goal, rounds) {
  const share = median(rounds.map(({ bare, latchkey }) => latchkey / bare))
  const [bare, latchkey] = ['bare', 'latchkey'].map((name) => median(rounds.map((r) => r[name])))
  process.stdout.write(`${title}\n`)
  process.stdout.write(`bare node:http  ${Math.round(bare)} requests/s\n`)
  process.stdout.write(`Latchkey        ${Math.round(latchkey)} requests/s\n`)
  const aim = goal === null ? '' : ` (goal: at least ${goal})`
  process.stdout.write(`share           ${share.toFixed(2)}${aim}\n`)
  if (goal !== null && share < goal) process.exitCode = 1
}

function measure(request) {
  return requestsPerSecond({ connections: CONNECTIONS, seconds: SECONDS, ...request })
}

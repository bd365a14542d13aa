// Shared by all benchmarks: measures the service and a bare server side by side, in one run.
import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'

const SECONDS = Number(process.env.SECONDS ?? 3)
const ROUNDS = 5
export const CONNECTIONS = 32
const USER = { username: 'ada', password: 'a-good-password' }

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const latchkey = here('../packages/server/bin/latchkey.js')

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
    await createUser(env)
    const service = await start([latchkey, 'serve'], env, folder, running)
    const login = await logIn(service)
    const other = await start([here(bare), file], env, folder, running)
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

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

async function measure(request) {
  const result = await autocannon({ connections: CONNECTIONS, duration: SECONDS, ...request })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${request.url}: not every answer was good`)
  }
  return result.requests.average
}

async function logIn(service) {
  const body = JSON.stringify(USER)
  const headers = { 'Content-Type': 'application/json' }
  const reply = await fetch(`${service}login/`, { method: 'POST', headers, body })
  return reply.json()
}

function createUser(env) {
  const args = [latchkey, 'user', 'create', '--username', USER.username, '--password-stdin']
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'inherit'] })
    child.stdin.end(USER.password)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}`))))
  })
}

/**
 * Resolves with the first address that the program prints. It prints into a file, as services do.
 * Reading its log would take time from the load generator and change the result.
 */
async function start(args, env, folder, running) {
  const file = join(folder, `${running.length}.log`)
  const output = openSync(file, 'a')
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', output, 'inherit'] })
  running.push(child)
  while (child.exitCode === null) {
    const address = /http:\/\/[^\s]+\//.exec(await readFile(file, 'utf8'))?.[0]
    if (address) return address
    await setTimeout(50)
  }
  throw new Error(`exit ${child.exitCode}`)
}

// `GET user/` by token against a bare node:http server doing the same lookup, in one run.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'

const SECONDS = Number(process.env.SECONDS ?? 5)
const ROUNDS = 3
const CONNECTIONS = 32
const GOAL = 0.5

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const latchkey = here('../packages/server/bin/latchkey.js')
const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'))
const file = join(folder, 'bench.db')
const env = { ...process.env, DATABASE_URL: `sqlite:${file}`, PORT: '0', LOG_LEVEL: 'info' }
const running = []

try {
  await run(['user', 'create', '--username', 'ada', '--password-stdin'], 'a-good-password')
  const service = await start([latchkey, 'serve'])
  const key = await login(`${service}login/`)
  const bare = await start([here('./bare-server.js'), file])

  const best = { bare: 0, latchkey: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    best.bare = Math.max(best.bare, await measure(bare, key))
    best.latchkey = Math.max(best.latchkey, await measure(`${service}user/`, key))
  }
  const share = best.latchkey / best.bare
  report('bare node:http', best.bare)
  report('Latchkey', best.latchkey)
  process.stdout.write(`share           ${share.toFixed(2)} (goal: at least ${GOAL})\n`)
  process.exitCode = share >= GOAL ? 0 : 1
} finally {
  for (const child of running) child.kill('SIGTERM')
  await rm(folder, { recursive: true, force: true })
}

function report(name, perSecond) {
  process.stdout.write(`${name.padEnd(15)} ${Math.round(perSecond)} requests/s\n`)
}

async function measure(url, key) {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { authorization: `Token ${key}` },
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: not every answer was good`)
  return result.requests.average
}

async function login(url) {
  const body = JSON.stringify({ username: 'ada', password: 'a-good-password' })
  const headers = { 'Content-Type': 'application/json' }
  const reply = await fetch(url, { method: 'POST', headers, body })
  return (await reply.json()).key
}

function run(args, input) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [latchkey, ...args], {
      env,
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    child.stdin.end(input)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}`))))
  })
}

/** Resolves with the first address that the program prints. */
function start(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    running.push(child)
    child.on('exit', (code) => reject(new Error(`exit ${code}`)))
    child.stdout.on('data', (text) => {
      const address = /http:\/\/[^\s]+\//.exec(String(text))?.[0]
      if (address) resolve(address)
    })
  })
}

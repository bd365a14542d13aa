// `POST token/refresh/` with rotation: each refresh is a transaction that uses up one token and makes
// the next. The result is the time of one refresh without other load.
// `node bench/refresh.js [program]` measures another build of the program.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const REFRESHES = Number(process.env.REFRESHES ?? 2000)
const USER = { username: 'ada', password: 'a-good-password' }

const [program = fileURLToPath(new URL('../packages/server/bin/latchkey.js', import.meta.url))] =
  process.argv.slice(2)
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

const folder = await mkdtemp(join(tmpdir(), 'latchkey-refresh-'))
const env = {
  PATH: process.env.PATH,
  PORT: '0',
  LOG_LEVEL: 'silent',
  DATABASE_URL: `sqlite:${join(folder, 'bench.db')}`,
  REST_AUTH_USE_JWT: 'true',
  REST_AUTH_JWT_AUTH_HTTPONLY: 'false',
  SIMPLE_JWT_ROTATE_REFRESH_TOKENS: 'true',
  SIMPLE_JWT_BLACKLIST_AFTER_ROTATION: 'true',
}
spawnSync(
  process.execPath,
  [program, 'user', 'create', '--username', USER.username, '--password-stdin'],
  { cwd: folder, env, input: USER.password, stdio: ['pipe', 'ignore', 'inherit'] },
)
const child = spawn(process.execPath, [program, 'serve'], { cwd: folder, env })
child.stderr.pipe(process.stderr)
try {
  const url = await printedUrl()
  let { refresh } = await post(`${url}login/`, USER)
  const took = []
  for (let count = 0; count < REFRESHES; count++) {
    const before = performance.now()
    refresh = (await post(`${url}token/refresh/`, { refresh })).refresh
    took.push(performance.now() - before)
  }
  // The first ones do not count, since the code is not compiled yet.
  const ms = median(took.slice(REFRESHES / 4))
  process.stdout.write(`token/refresh/, rotated  ${ms.toFixed(2)} ms\n`)
} finally {
  child.kill('SIGTERM')
  await rm(folder, { recursive: true, force: true })
}

async function post(url, body) {
  const headers = { 'Content-Type': 'application/json' }
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`)
  return reply.json()
}

async function printedUrl() {
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    const url = /http:\/\/[^\s]+\/auth\//.exec(output)?.[0]
    if (url) return url
  }
  throw new Error('The service did not start.')
}

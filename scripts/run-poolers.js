// The service behind a real PgBouncer, in both modes, with pools of two: `npm run poolers`. Needs a build,
// and the program `pgbouncer` (a package of Debian and others). It uses its own PostgreSQL, on loopback
// only. `npm run poolers -- suite` runs every product test through PgBouncer in transaction mode instead.

import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { freePort } from './free-port.js'
import { inFolder } from './in-folder.js'
import { createApi } from './torture/parts/api.js'
import { startLoad } from './torture/parts/load.js'
import { startPgBouncer } from './torture/parts/pgbouncer.js'
import { startPostgres } from './torture/parts/postgres.js'
import { findProgram } from './torture/parts/programs.js'
import { startProxy } from './torture/parts/proxy.js'
import { startService } from './torture/parts/service.js'
import { PASSWORD } from './torture/parts/visitors.js'

const NEEDED = 'This needs PgBouncer: "apt-get install pgbouncer", or the package of your system.\n'
const UNLIMITED = { ACCOUNT_RATE_LIMITS: '{"signup": "1000/m/ip"}' }
const PEOPLE = 30
const RIVALS = 10
/** DATABASE_WRITE_TIMEOUT, and a little for a busy machine. */
const DEADLINE_MS = 8000

const pgbouncer = findProgram('pgbouncer')
if (!pgbouncer) {
  process.stderr.write(NEEDED)
  process.exit(2)
}
say(pgbouncer.version)
if (process.argv[2] === 'suite') runSuite(process.argv.slice(3))
else {
  for (const mode of ['session', 'transaction']) {
    await inFolder((folder, atTheEnd) => tryMode(mode, folder, atTheEnd))
  }
}

function runSuite(files) {
  const args = ['vitest', 'run', '--configLoader=runner', '--project', 'postgres', ...files]
  const env = { ...process.env, TEST_POOLER: 'transaction' }
  process.exitCode = spawnSync('npx', args, { stdio: 'inherit', env }).status ?? 1
}

async function tryMode(mode, folder, atTheEnd) {
  say(`\nPgBouncer pools by ${mode}`)
  const postgres = await startPostgres(folder)
  atTheEnd(postgres.stop)
  const pooling = { serverPort: postgres.port, mode }
  const pooler = await startPgBouncer(folder, { ...pooling, port: await freePort() })
  atTheEnd(pooler.stop)
  const proxy = await startProxy(pooler.port)
  atTheEnd(proxy.stop)
  const service = await startService(folder, postgres.urlAt(proxy.port), UNLIMITED)
  atTheEnd(service.stop)
  await check({ postgres, pooler, proxy, service })
}

async function check({ postgres, pooler, proxy, service }) {
  const log = await readFile(service.log, 'utf8')
  expect('the start says what was found', log.includes(', through a pooler'))

  const api = createApi(service.url)
  const logIn = async () => (await api.post('login/', { body: service.credentials })).status
  const people = Array.from({ length: PEOPLE }, (_, n) => `person${n}`)
  const registered = await Promise.all(people.map((name) => register(api, name)))
  expect(
    `${PEOPLE} people register at once`,
    registered.every((status) => status === 201),
    registered,
  )
  const rivals = await Promise.all(Array.from({ length: RIVALS }, () => register(api, 'rival')))
  const winners = rivals.filter((status) => status === 201).length
  const refused = rivals.filter((status) => status === 400).length
  expect(
    `of ${RIVALS} rivals for a name one gets it`,
    winners === 1 && refused === RIVALS - 1,
    rivals,
  )

  const load = startLoad(service)
  expect('lookups and logins run side by side', await load.untilWell())
  proxy.leadTo(postgres.port)
  expect('a direct connection takes the place of the pooler', await load.untilWell())
  proxy.leadTo(pooler.port)
  expect('the pooler takes the place of the direct connection', await load.untilWell())
  const others = (await load.stop()).filter(({ status }) => status !== 200 && status !== 503)
  expect('no answer was anything but good or 503', others.length === 0)

  const release = await postgres.hold('lock table users')
  const startedAt = performance.now()
  const status = await logIn()
  const ms = performance.now() - startedAt
  await release()
  expect(
    `behind a lock the answer is 503 in time (${Math.round(ms)} ms)`,
    status === 503 && ms < DEADLINE_MS,
  )
  expect('and then all is well', (await logIn()) === 200)
  const [{ statement_timeout: left }] = await postgres.queryAt(
    pooler.port,
    'show statement_timeout',
  )
  expect('no setting stays behind on the connections of the pooler', left === '0')
  api.close()
}

async function register(api, username) {
  const email = `${username}@example.com`
  const body = { username, email, password1: PASSWORD, password2: PASSWORD }
  return (await api.post('registration/', { body })).status
}

function expect(what, isTrue, seen = '') {
  say(`${isTrue ? 'PASS' : 'FAIL'}  ${what} ${isTrue ? '' : seen}`.trimEnd())
  if (!isTrue) process.exitCode = 1
}

function say(line) {
  process.stdout.write(`${line}\n`)
}

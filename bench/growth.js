// How the service grows with its users: `node bench/growth.js [--sizes 1000,100000,1000000] [--sqlite | --postgres]`.
// Fills a database for each size, and measures there what a request, a start, a sweep and a backup take.
// Latencies are those of one client that asks for other users all the time. A login is measured without its hash.
// The results of each engine go to bench/results/growth.json, or to the file that `--out` names. `--folder` keeps the
// databases there, and uses them again. 10,000,000 users take 14 to 19 GB for each engine, and 40 minutes to fill.
import { execFileSync } from 'node:child_process'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ADMIN_CASES, openAdminLists } from './lib/admin-lists.js'
import { ask } from './lib/client.js'
import { composeService } from './lib/compose-service.js'
import { onEach, prepareDatabase } from './lib/databases.js'
import { growthSections, missedGrowth } from './lib/growth-table.js'
import { measureOnce } from './lib/measure.js'
import { median, medians } from './lib/numbers.js'
import { jwtOf, keyOf, PASSWORD, SECRET_KEY, usernameOf } from './lib/people.js'
import { query } from './lib/query.js'
import { SETTINGS } from './lib/requests.js'
import { runCommand, startService } from './lib/server.js'

const { values: given } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,100000,1000000' },
    sqlite: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    folder: { type: 'string' },
    out: {
      type: 'string',
      default: fileURLToPath(new URL('./results/growth.json', import.meta.url)),
    },
  },
})
const sizes = given.sizes.split(',').map(Number)
const [seconds, rounds] = [Number(given.seconds), Number(given.rounds)]
const engines = ['sqlite', 'postgres'].filter(
  (engine) => given[engine] || given.sqlite === given.postgres,
)
const SWEPT = 10_000
const SWEEPS_MAX = 10
const ENV = {
  SECRET_KEY,
  ...SETTINGS,
  CHEAP_HASHES: '1',
  ACCOUNT_EMAIL_VERIFICATION: 'none',
  ACCOUNT_RATE_LIMITS: JSON.stringify({ signup: 'none', login_failed: 'none' }),
}
const say = (line) => void process.stderr.write(`${line}\n`)

/** Of other programs, before this one adds its own. */
const [load] = loadavg()

let registered = 0
const tokenOf = (n) => ({ authorization: `Token ${keyOf(n)}` })
const isUser = (n) => (text) => text.includes(`"username":"${usernameOf(n)}"`)
const post = (path, body, expects) => ({ method: 'POST', path, body, expects })

/** What a request does, for any user. */
const CASES = {
  login: (n) => post('login/', { username: usernameOf(n), password: PASSWORD }, isUser(n)),
  tokenLookup: (n) => ({ path: 'user/', headers: tokenOf(n), expects: isUser(n) }),
  refresh: (n) =>
    post('token/refresh/', { refresh: jwtOf(n, 'refresh') }, (text) => text.includes('"refresh"')),
  sessions: (n) => ({ path: 'sessions/', headers: tokenOf(n), expects: (text) => text.length > 2 }),
  registration() {
    const username = `new${process.pid}-${++registered}`
    const password = { password1: PASSWORD, password2: PASSWORD }
    const body = { username, email: `${username}@example.com`, ...password }
    return { ...post('registration/', body), status: 201 }
  },
}

const kept = given.folder ? resolve(given.folder) : null
if (kept) await mkdir(kept, { recursive: true })

async function grow(url, folder, engine) {
  const databases = {}
  const filled = {}
  for (const size of sizes) {
    say(`${engine}: filling ${size} users`)
    databases[size] = await anotherDatabase(url, size)
    filled[size] = await fillOnce(databases[size], folder, `${engine}-${size}`, size)
  }
  await readOnce(kept ?? folder)
  if (engine === 'postgres') for (const size of sizes) await prewarm(databases[size])
  say(`${engine}: requests`)
  const requests = await measureRequests(databases, folder)
  const results = {}
  for (const size of sizes) {
    say(`${engine}: start, sweep and backup with ${size} users`)
    results[size] = {
      ...filled[size],
      ...requests[size],
      ...(await measureOthers(databases[size], folder, size)),
    }
  }
  return results
}

// As its manual recommends for a server of its own. By default it has 128 MB, however much there is.
const buffers = ['-c', `shared_buffers=${Math.floor((totalmem() * 0.4) / 2 ** 20)}MB`]
const grown = await onEach(engines, grow, { kept, flags: buffers })
const taken = {
  at: new Date().toISOString(),
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  load,
}
const results = Object.fromEntries(
  Object.entries(grown).map(([engine, measured]) => [engine, { taken, sizes, measured }]),
)
for (const { title, table, note } of growthSections(results)) {
  process.stdout.write(`${title}\n\n${table}\n\n${note}\n\n`)
}
const file = resolve(given.out)
// What an earlier run says about the other engine stays.
const earlier = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : {}
await mkdir(dirname(file), { recursive: true })
await writeFile(file, `${JSON.stringify({ ...earlier, ...results }, null, 2)}\n`)
const missed = missedGrowth(results)
process.stdout.write(
  missed.length === 0 ? 'Every goal was met.\n' : `Missed:\n- ${missed.join('\n- ')}\n`,
)
process.exitCode = missed.length === 0 ? 0 : 1

/** A database for each size, so that they can be asked in turn. */
async function anotherDatabase(url, size) {
  if (url.startsWith('sqlite:')) return url.replace(/latchkey\.db$/, `with-${size}.db`)
  const name = `with_${size}`
  const [known] = await query(url, `select 1 from pg_database where datname = '${name}'`)
  if (!known) await query(url, `create database ${name}`)
  return url.replace(/[^/]+$/, name)
}

/** A note in the folder says that a kept database is complete. */
async function fillOnce(url, folder, name, size) {
  const note = kept && join(kept, `${name}.filled`)
  if (note && existsSync(note)) return JSON.parse(await readFile(note, 'utf8'))
  const filling = { to: size, cheapHashes: true }
  const filled = {
    filledIn: (await timed(() => prepareDatabase(url, folder, filling))) / 1000,
    bytesPerUser: (await bytesOf(url)) / size,
  }
  if (note) await writeFile(note, JSON.stringify(filled))
  return filled
}

/** So that the system has the files in memory, as one that has run for a while. */
async function readOnce(home) {
  const files = await readdir(home, { recursive: true, withFileTypes: true })
  for (const file of files.filter((one) => one.isFile())) {
    const chunks = createReadStream(join(file.parentPath, file.name), { highWaterMark: 2 ** 20 })
    // PostgreSQL may have deleted it meanwhile.
    await finished(chunks.resume()).catch(() => {})
  }
}

/** Fills the buffers of PostgreSQL with what most requests need, as after some hours. */
async function prewarm(url) {
  await query(url, 'create extension if not exists pg_prewarm')
  const names = [
    ...['users', 'users_pkey', 'users_username_key_key', 'tokens', 'tokens_digest_key'],
    ...['logins', 'logins_pkey', 'logins_of_user_in_order'],
  ]
  for (const name of names) await query(url, `select pg_prewarm('${name}')`)
}

/** By size and case. `growth` is p50 divided by that of the first size in the same round. */
async function measureRequests(databases, folder) {
  const open = []
  const opened = async (opening) => {
    const one = await opening
    open.push(one)
    return one
  }
  try {
    const measure = {}
    for (const size of sizes) {
      const env = { ...ENV, DATABASE_URL: databases[size] }
      const server = await opened(startService(env, folder))
      const lists = await opened(openAdminLists(databases[size], size))
      measure[size] = (name) => {
        if (name in ADMIN_CASES) return lists.measure(name, seconds)
        const script = () => () => CASES[name](1 + Math.floor(Math.random() * size))
        return measureOnce({ server, script }, { seconds, connections: 1 })
      }
    }
    const names = [...Object.keys(CASES), ...Object.keys(ADMIN_CASES)]
    const taken = Object.fromEntries(sizes.map((size) => [size, {}]))
    // The first round only warms up.
    for (let round = -1; round < rounds; round++) {
      say(`round ${round + 1} of ${rounds}`)
      for (const name of names) {
        const ofRound = {}
        // The first one of a round is not always the same.
        for (const size of round % 2 === 0 ? sizes : sizes.toReversed()) {
          ofRound[size] = await measure[size](name)
        }
        if (round < 0) continue
        for (const size of sizes) {
          const growth = ofRound[size].p50 / ofRound[sizes[0]].p50
          taken[size][name] = [...(taken[size][name] ?? []), { ...ofRound[size], growth }]
        }
      }
    }
    const mediansOf = (ofSize) =>
      Object.fromEntries(Object.entries(ofSize).map(([name, each]) => [name, medians(each)]))
    return Object.fromEntries(sizes.map((size) => [size, mediansOf(taken[size])]))
  } finally {
    for (const one of open) await (one.stop ?? one.close)()
  }
}

async function measureOthers(url, folder, size) {
  const starts = []
  for (let round = 0; round < 3; round++) starts.push(await startOnce(url, folder))
  const env = { ...ENV, DATABASE_URL: url }
  const show = () => runCommand(['user', 'show', usernameOf(size)], { env, folder })
  return {
    startMs: median(starts),
    userShowMs: await timed(show),
    sweepMs: await sweep(url),
    backupMs: await backUp(url, folder),
  }
}

async function startOnce(url, folder) {
  const begun = performance.now()
  const server = await startService({ ...ENV, DATABASE_URL: url }, folder)
  await ask(server.url, { path: 'user/', status: 401 })
  const took = performance.now() - begun
  await server.stop()
  return took
}

/** A sweep that deletes some thousand rows among those that stay. */
async function sweep(url) {
  await query(
    url,
    `insert into spent_refresh_tokens (key, spent_at, expires_at)
     with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${SWEPT})
     select 'old ' || n, 1, n from numbers`,
  )
  const service = await composeService(url)
  const left = `select count(*) as count from spent_refresh_tokens where expires_at <= ${SWEPT}`
  try {
    // On a busy machine a sweep may leave something for the next one.
    for (let sweeps = 1, took = 0; sweeps <= SWEEPS_MAX; sweeps++) {
      took += await timed(() => service.sweep())
      const [{ count }] = await query(url, left)
      if (Number(count) === 0) return took
    }
    throw new Error('The sweeps have left expired rows.')
  } finally {
    await service.close()
  }
}

/** As docs/deployment.md recommends it. Null for PostgreSQL where `pg_dump` is not installed. */
async function backUp(url, folder) {
  const copy = join(folder, 'backup')
  try {
    if (url.startsWith('sqlite:')) return await timed(() => query(url, `vacuum into '${copy}'`))
    const dump = () => execFileSync('pg_dump', ['-Fc', '-f', copy, url], { stdio: 'ignore' })
    return await timed(dump).catch(() => null)
  } finally {
    await rm(copy, { force: true })
  }
}

async function bytesOf(url) {
  if (url.startsWith('sqlite:')) return (await stat(fileOf(url))).size
  const [{ bytes }] = await query(url, 'select pg_database_size(current_database()) as bytes')
  return Number(bytes)
}

async function timed(work) {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

function fileOf(url) {
  return url.slice('sqlite:'.length)
}

// Sweeps two tables of 500,000 expired rows, on SQLite and on its own PostgreSQL, and prints how long the
// event loop was blocked at most: `node bench/sweep.js`. With `--sqlite` only on SQLite; ROWS sets how many.
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startPostgres } from '../scripts/faults/postgres.js'
import { fromSources } from '../scripts/from-sources.js'

const ROWS = Number(process.env.ROWS ?? 500_000)
const TABLES = ['limits', 'passkey_challenges']
/** Each sweep takes at most 20 seconds per table. The rest waits for the next one. */
const SWEEPS_MAX = 10
/** Deleting all rows in one statement blocked it for eight seconds. */
const PAUSE_MAX_MS = 1000
const SECRET_KEY = 'for the time of this measurement, long enough'

const { composeService, resolveSettings } = await fromSources({
  'compose-service.ts': 'composeService',
  'settings/resolve.ts': 'resolveSettings',
})
const none = () => {}
const SILENT = { level: 'silent', fatal: none, error: none, warn: none, info: none, debug: none }

const folder = await mkdtemp(join(tmpdir(), 'latchkey-sweep-'))
const atTheEnd = [() => rm(folder, { recursive: true, force: true })]
try {
  const file = join(folder, 'latchkey.db')
  await measure('SQLite', `sqlite:${file}`, inSqlite(file))
  if (!process.argv.includes('--sqlite')) {
    const postgres = await startPostgres(folder)
    atTheEnd.push(postgres.stop)
    await measure('PostgreSQL', postgres.urlAt(postgres.port), postgres.query)
  }
} finally {
  for (const end of atTheEnd.toReversed()) await end()
}

async function measure(engine, DATABASE_URL, run) {
  const settings = resolveSettings({ SECRET_KEY, DATABASE_URL, LOG_LEVEL: 'warn' })
  const auth = composeService(settings, { log: SILENT })
  await auth.migrate()
  const numbers = `with recursive numbers(n) as (
    select 1 union all select n + 1 from numbers where n < ${ROWS})`
  await run(`insert into limits (key, hits, expires_at)
    ${numbers} select 'old-' || n, '1000000000000', n from numbers`)
  await run(`insert into passkey_challenges (key, digest, user_id, expires_at)
    ${numbers} select 'old-' || n, 'digest-' || n, null, n from numbers`)

  const pauses = monitorEventLoopDelay({ resolution: 1 })
  pauses.enable()
  const begun = performance.now()
  let sweeps = 0
  while (sweeps < SWEEPS_MAX && (await countLeft(run)) > 0) {
    await auth.sweep()
    sweeps += 1
  }
  const seconds = (performance.now() - begun) / 1000
  pauses.disable()
  const left = await countLeft(run)
  await auth.close()

  const [longest, usual] = [pauses.max, pauses.percentile(99)].map((ns) => Math.round(ns / 1e6))
  const isGood = left === 0 && longest <= PAUSE_MAX_MS
  if (!isGood) process.exitCode = 1
  process.stdout.write(
    `${isGood ? 'PASS' : 'FAIL'}  ${engine}: ${TABLES.length} × ${ROWS} rows in ${seconds.toFixed(1)} s, ${sweeps} sweeps; longest pause ${longest} ms, 99 % below ${usual} ms; left ${left}\n`,
  )
}

async function countLeft(run) {
  const counts = TABLES.map((table) => `(select count(*) from ${table})`)
  const [row] = await run(`select ${counts.join(' + ')} as count`)
  return Number(row.count)
}

/** A separate connection, beside that of the service. */
function inSqlite(file) {
  const Database = createRequire(import.meta.url)('libsql')
  return async (text) => {
    const db = new Database(file)
    try {
      const statement = db.prepare(text)
      return text.startsWith('select') ? statement.all() : statement.run()
    } finally {
      db.close()
    }
  }
}

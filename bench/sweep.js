// Sweeps two tables of 500,000 expired rows, on SQLite and on its own PostgreSQL, and prints how long the
// event loop was blocked at most: `node bench/sweep.js`. With `--sqlite` only on SQLite; ROWS sets how many.
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { inFolder } from '../scripts/in-folder.js'
import { startPostgres } from '../scripts/torture/parts/postgres.js'
import { composeService } from './lib/compose-service.js'
import { query } from './lib/query.js'

const ROWS = Number(process.env.ROWS ?? 500_000)
const TABLES = ['limits', 'passkey_challenges']
/** Each sweep takes at most 20 seconds per table. The rest waits for the next one. */
const SWEEPS_MAX = 10
/** Deleting all rows in one statement blocked it for eight seconds. */
const PAUSE_MAX_MS = 1000

await inFolder(async (folder, atTheEnd) => {
  await measure('SQLite', `sqlite:${join(folder, 'latchkey.db')}`)
  if (process.argv.includes('--sqlite')) return
  const postgres = await startPostgres(folder)
  atTheEnd(postgres.stop)
  await measure('PostgreSQL', postgres.urlAt(postgres.port))
})

async function measure(engine, url) {
  const service = await composeService(url)
  // Over a connection of its own, beside that of the service.
  const run = (text) => query(url, text)
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
    await service.sweep()
    sweeps += 1
  }
  const seconds = (performance.now() - begun) / 1000
  pauses.disable()
  const left = await countLeft(run)
  await service.close()

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

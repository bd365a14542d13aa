// Outages of the database under load, and what the service answers: `npm run faults`. Needs a build,
// Linux and gcc: `prlimit` simulates the full disk, and a small library the failing one. It uses its own
// PostgreSQL, on loopback only, and takes about a minute.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addRow, printTable } from './faults/report.js'
import { postgresScenarios, sqliteScenarios } from './faults/scenarios.js'
import { startLoad } from './torture/parts/load.js'
import { startPostgres } from './torture/parts/postgres.js'
import { preload } from './torture/parts/preload.js'
import { startProxy } from './torture/parts/proxy.js'
import { startService } from './torture/parts/service.js'

const wanted = process.argv.slice(2)
const isWanted = ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word))

const folder = await mkdtemp(join(tmpdir(), 'latchkey-faults-'))
const atTheEnd = [() => rm(folder, { recursive: true, force: true })]
try {
  const onSqlite = sqliteScenarios.filter(isWanted)
  if (onSqlite.length > 0) await run(onSqlite, await overSqlite())
  const onPostgres = postgresScenarios.filter(isWanted)
  if (onPostgres.length > 0) await run(onPostgres, await overPostgres())
} finally {
  for (const end of atTheEnd.toReversed()) await end()
}
if (!printTable()) process.exitCode = 1

async function overSqlite() {
  const [file, failing] = ['latchkey.db', 'failing'].map((name) => join(folder, name))
  const disk = { ...preload('failing', folder), FAILING_FILE: file, FAILING_WHEN: failing }
  const service = await startService(folder, `sqlite:${file}`, disk)
  atTheEnd.push(service.stop)
  return { service, failing }
}

async function overPostgres() {
  const postgres = await startPostgres(folder)
  atTheEnd.push(postgres.stop)
  const proxy = await startProxy(postgres.port)
  atTheEnd.push(proxy.stop)
  const service = await startService(folder, postgres.urlAt(proxy.port))
  atTheEnd.push(service.stop)
  return { service, postgres, proxy }
}

/** Each scenario begins and ends with a service that works. */
async function run(scenarios, parts) {
  for (const { name, fault, mend = () => {}, faultMs, readsGoOn = false } of scenarios) {
    const load = startLoad(parts.service)
    await load.untilWell()
    const brokenAt = performance.now()
    await fault(parts)
    await load.pause(faultMs)
    const wasReady = await parts.service.isReady()
    await mend(parts)
    const mendedAt = performance.now()
    const isWell = await load.untilWell()
    const isReady = await parts.service.isReady()
    const isAlive = parts.service.isAlive()
    const answers = await load.stop()
    addRow({ name, answers, brokenAt, mendedAt, isWell, wasReady, isReady, isAlive, readsGoOn })
  }
}

import { setTimeout } from 'node:timers/promises'
import { judgeOutage } from '../database/judge.js'
import { postgresOutages, sqliteOutages } from '../database/outages.js'
import { databases } from '../parts/both-databases.js'
import { faultyDisk } from '../parts/faulty-disk.js'
import { startLoad } from '../parts/load.js'
import { startProxy } from '../parts/proxy.js'
import { startService } from '../parts/service.js'

const OUTAGE_MS = { full: 30_000, small: 4000 }

export const database = {
  name: 'database',
  shows:
    'a database that is slow, gone, read-only, full or frozen: 503 in time, and working again within 5 s',
  needs: ['gcc'],
  broken: [
    {
      file: 'src/storage/faults.ts',
      from: 'SQLITE_(BUSY|LOCKED|FULL|',
      to: 'SQLITE_(BUSY|LOCKED|',
      why: 'a full disk is no outage but an error',
    },
  ],

  async run(options) {
    const rows = [
      ...(await breakAll('SQLite', sqliteOutages, await overSqlite(options), options)),
      ...(await breakAll('PostgreSQL', postgresOutages, await overPostgres(options), options)),
    ]
    const missed = rows.filter((row) => row.missed.length > 0)
    const most = (key) => Math.max(...rows.map((row) => row[key]))
    const times = `lookups within ${most('slowestReadMs')} ms, changes within ${most('slowestWriteMs')} ms, good again within ${most('wellAfterMs')} ms`
    return {
      held: missed.length === 0,
      figure: [
        `${rows.length} outages, ${times}`,
        ...missed.map(({ name, missed: words }) => `${name}: ${words.join(', ')}`),
      ].join('; '),
      details: { rows },
    }
  },
}

async function overSqlite({ folder, server, atTheEnd }) {
  const { url, file } = await databases.sqlite(folder)
  const disk = faultyDisk(folder, file)
  const service = await startService(folder, url, disk.env, { server })
  atTheEnd(service.stop)
  return { service, disk, file }
}

async function overPostgres({ folder, server, atTheEnd }) {
  const postgres = await databases.postgres(folder)
  atTheEnd(postgres.stop)
  const proxy = await startProxy(postgres.port)
  atTheEnd(proxy.stop)
  const service = await startService(folder, postgres.urlAt(proxy.port), {}, { server })
  atTheEnd(service.stop)
  return { service, postgres, proxy }
}

/** Each outage begins and ends with a service that works. */
async function breakAll(engine, outages, parts, { size, say, atTheEnd }) {
  const rows = []
  for (const { name, fault, mend = () => {}, ...expected } of outages) {
    const load = startLoad(parts.service)
    atTheEnd(load.stop)
    await load.untilWell()
    const brokenAt = performance.now()
    await fault(parts)
    await setTimeout(OUTAGE_MS[size])
    const wasReady = await parts.service.isReady()
    await mend(parts)
    const mendedAt = performance.now()
    const isWell = await load.untilWell()
    const isReady = await parts.service.isReady()
    const isAlive = parts.service.isAlive()
    const answers = await load.stop()
    const times = { answers, brokenAt, mendedAt }
    const row = judgeOutage({ ...times, isWell, wasReady, isReady, isAlive, ...expected })
    rows.push({ name: `${engine} ${name}`, ...row })
    say(`${engine} ${name}: ${row.missed.join(', ') || 'as it must be'}`)
  }
  return rows
}

import { setTimeout } from 'node:timers/promises'
import { ownFolder } from '../parts/own-folder.js'
import { startPair } from '../parts/postgres-pair.js'
import { startPrimaryProxy } from '../parts/primary-proxy.js'
import { startService } from '../parts/service.js'
import { startSignUps } from '../parts/sign-ups.js'

const KILLS = { full: 10, small: 2 }
/** How long the load runs before and after a fail-over. */
const CALM_MS = 3000
/** How long nobody is the primary. */
const OUTAGE_MS = 2000
const HEAL_MS = 5000
const UNLIMITED = { ACCOUNT_RATE_LIMITS: '{"signup": "100000/m/ip"}' }

/** How the service finds the primary. */
const WAYS = {
  'both hosts in DATABASE_URL': (pair) => ({ url: pair.url(), stop() {} }),
  'one host, HAProxy': startPrimaryProxy,
}

export const failOver = {
  name: 'fail-over',
  shows:
    'the primary of PostgreSQL killed under load: its stand-by has everything, and is used within 5 s',
  needs: ['haproxy'],
  broken: [
    {
      file: 'src/storage/postgres-client.ts',
      from: 'end as settings',
      to: "|| set_config('synchronous_commit', 'off', false) end as settings",
      why: 'commits do not wait for the stand-by',
    },
  ],

  async run(options) {
    const details = {}
    for (const [way, open] of Object.entries(WAYS)) details[way] = await tryWay(open, way, options)
    const results = Object.entries(details)
    return {
      held: results.every(([, { faults }]) => faults.length === 0),
      figure: results.map(([way, result]) => `${way}: ${wordsOf(result)}`).join('; '),
      details,
    }
  },
}

async function tryWay(openWay, name, { size, folder, server, say, atTheEnd }) {
  const own = await ownFolder(folder, name)
  const pair = await startPair(own)
  atTheEnd(pair.stop)
  const way = await openWay(pair, own)
  atTheEnd(way.stop)
  const service = await startService(own, way.url, UNLIMITED, { server })
  atTheEnd(service.stop)
  const signUps = startSignUps(service)
  const healed = []
  for (let kill = 1; kill <= KILLS[size]; kill++) {
    healed.push(await killOnce(pair, signUps))
    say(`${name}: ${kill} kills, good again after ${healed.at(-1)} ms`)
  }
  const { acknowledged, refused, others } = await signUps.stop()
  const rows = await pair.query('select username from users')
  const present = new Set(rows.map(({ username }) => username))
  const lost = acknowledged.filter((username) => !present.has(username))
  const slowest = Math.max(...healed)
  const faults = [
    lost.length > 0 && `${lost.length} acknowledged accounts are lost`,
    others.length > 0 && `answers that are neither good nor 503: ${[...new Set(others)]}`,
    slowest > HEAL_MS && `good again only after ${slowest} ms`,
    !service.isAlive() && 'the process has ended',
  ].filter(Boolean)
  const counts = { acknowledged: acknowledged.length, lost: lost.length, refused }
  return { kills: healed.length, ...counts, others: others.length, healed, slowest, faults }
}

/** Returns how long after the promotion the first account was made. */
async function killOnce(pair, signUps) {
  await setTimeout(CALM_MS)
  await pair.killPrimary()
  await setTimeout(OUTAGE_MS)
  await pair.promote()
  const promotedAt = performance.now()
  const goodAt = await signUps.nextGood(HEAL_MS)
  await setTimeout(CALM_MS)
  await pair.rejoin()
  return Math.round(goodAt - promotedAt)
}

const wordsOf = ({ kills, acknowledged, lost, others, slowest }) =>
  `${kills} kills, ${acknowledged} accounts, ${lost} lost, ${others} wrong answers, good again within ${slowest} ms`

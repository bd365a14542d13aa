// Kills the primary of PostgreSQL under load and counts the accounts that were acknowledged: `npm run
// failover`. Needs a build. A primary and a stand-by with synchronous replication come from npm. The service
// reaches them by both hosts in DATABASE_URL and, if the program `haproxy` is installed, through HAProxy.
// On loopback only.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startHaproxy } from './failover/haproxy.js'
import { startPair } from './failover/pair.js'
import { startSignUps } from './failover/sign-ups.js'
import { findProgram } from './torture/parts/programs.js'
import { startService } from './torture/parts/service.js'

const ROUNDS = 3
/** How long the load runs before and after a fail-over. */
const CALM_MS = 3000
/** How long nobody is the primary. */
const OUTAGE_MS = 2000
const HEAL_MS = 5000
const UNLIMITED = { ACCOUNT_RATE_LIMITS: '{"signup": "100000/m/ip"}' }

await tryWay('both hosts in DATABASE_URL', async (pair) => ({
  url: pair.url(),
  stop: async () => {},
}))
if (findProgram('haproxy')) await tryWay('one host, HAProxy', startHaproxy)
else
  say(
    '\nHAProxy is not installed ("apt-get install haproxy"), so the way through it was not tried.',
  )

async function tryWay(name, openWay) {
  say(`\n${name}`)
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-failover-'))
  const atTheEnd = [() => rm(folder, { recursive: true, force: true })]
  try {
    const pair = await startPair(folder)
    atTheEnd.push(pair.stop)
    const way = await openWay(pair, folder)
    atTheEnd.push(way.stop)
    const service = await startService(folder, way.url, UNLIMITED)
    atTheEnd.push(service.stop)
    const signUps = startSignUps(service)
    for (let round = 1; round <= ROUNDS; round++) await failOver(round, pair, signUps)
    const { acknowledged, refused, others } = await signUps.stop()
    const rows = await pair.query('select username from users')
    const present = new Set(rows.map(({ username }) => username))
    const lost = acknowledged.filter((username) => !present.has(username))
    expect(
      `${acknowledged.length} accounts acknowledged, ${lost.length} lost, ${refused} answers were 503, ${others.length} others`,
      lost.length === 0 && others.length === 0 && service.isAlive(),
      [...new Set(others)],
    )
  } finally {
    for (const end of atTheEnd.toReversed()) await end()
  }
}

async function failOver(round, pair, signUps) {
  await setTimeout(CALM_MS)
  await pair.killPrimary()
  await setTimeout(OUTAGE_MS)
  await pair.promote()
  const promotedAt = performance.now()
  const goodAt = await signUps.nextGood(HEAL_MS)
  const ms = Math.round(goodAt - promotedAt)
  expect(`fail-over ${round}: good again ${ms} ms after the promotion`, ms < HEAL_MS)
  await setTimeout(CALM_MS)
  await pair.rejoin()
}

function expect(what, isTrue, seen = '') {
  say(`${isTrue ? 'PASS' : 'FAIL'}  ${what} ${isTrue ? '' : seen}`.trimEnd())
  if (!isTrue) process.exitCode = 1
}

function say(line) {
  process.stdout.write(`${line}\n`)
}

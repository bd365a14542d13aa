import { setTimeout } from 'node:timers/promises'
import { databases } from '../parts/both-databases.js'
import { startMailbox } from '../parts/mailbox.js'
import { createHost, lostAmong, owed, peopleSettings, startPeople } from '../parts/people.js'
import { seededRandom } from '../parts/random.js'
import { startReceiver } from '../parts/receiver.js'
import { startInstance } from '../parts/service.js'
import { stolenMs } from '../parts/stolen-time.js'
import { undelivered } from '../parts/undelivered.js'

const CYCLES = { full: 200, small: 4 }
const CLIENTS = 8
/** The shortest and the longest time under load before a kill. */
const LOAD_MS = [500, 2500]
const READY_MS = 2000
/** A start counts if the host took no more than this part of its time from us. */
const STOLEN_MAX = 0.1
/** With fewer starts that count, the proof says nothing about their time. */
const COUNTED_MIN = 0.25
/** On PostgreSQL, every so many cycles the server dies with the service. */
const BOTH_DIE = 5

export const crash = {
  name: 'crash',
  shows:
    'kill -9 under a writing load on both databases: nothing acknowledged is lost, ready within 2 s',
  needs: [],
  broken: [
    {
      file: 'src/core/delivery/deliver-due.ts',
      from: 'const CLAIM_MARGIN = 15 * SECOND',
      to: 'const CLAIM_MARGIN = 15_000 * SECOND',
      why: 'what a killed process was sending stays claimed',
    },
  ],
  async run(options) {
    const details = {}
    for (const name of Object.keys(databases)) details[name] = await crashOn(name, options)
    return { ...summaryOf(Object.entries(details)), details }
  },
}

async function crashOn(
  name,
  { size, minutes = Number.POSITIVE_INFINITY, seed, folder, server, say, atTheEnd },
) {
  const database = await databases[name](folder)
  atTheEnd(database.stop)
  // Slow, so that some events are on their way whenever the service dies.
  const receiver = await startReceiver({ answerMs: 100 })
  atTheEnd(receiver.stop)
  const mail = await startMailbox()
  atTheEnd(mail.stop)
  const settings = { ...peopleSettings, ...receiver.settings, EMAIL_URL: mail.url }
  const random = seededRandom(seed)
  const all = []
  const lost = []
  const starts = []
  let service = null
  atTheEnd(() => service?.kill())

  async function start() {
    const [startedAt, stolenBefore] = [performance.now(), stolenMs()]
    service = await startInstance(database.folder, database.url, settings, { server })
    while (!(await service.isReady())) await setTimeout(20)
    const ms = Math.round(performance.now() - startedAt)
    return { ms, isUndisturbed: stolenMs() - stolenBefore <= STOLEN_MAX * ms }
  }

  await start()
  const host = await createHost(service)
  // Both databases share the time.
  const until = performance.now() + (minutes * 60_000) / 2
  for (let cycle = 1; cycle <= CYCLES[size] && performance.now() < until; cycle++) {
    const { url } = service
    const load = startPeople({ url, host, mail, clients: CLIENTS, prefix: `k${cycle}` })
    await setTimeout(LOAD_MS[0] + random.below(LOAD_MS[1] - LOAD_MS[0]))
    await service.kill()
    if (name === 'postgres' && cycle % BOTH_DIE === 0) {
      database.kill()
      await database.restart()
    }
    const people = await load.stop()
    starts.push(await start())
    lost.push(...(await lostAmong(people, service.url)))
    all.push(...people)
    if (cycle % 20 === 0) say(`${name}: ${cycle} kills, ${lost.length} lost`)
  }

  const missing = await Promise.all([
    undelivered(owed('event', all), receiver.heard),
    undelivered(owed('letter', all), mail.counts),
  ])
  lost.push(...missing.flat())
  lost.push(...(await lostAmong(all, service.url)))
  await service.stop()
  return {
    kills: starts.length,
    acknowledged: all.reduce((sum, { done }) => sum + done.length, 0),
    events: owed('event', all).length,
    letters: owed('letter', all).length,
    lost: [...new Set(lost)],
    damage: await database.findDamage(),
    starts,
  }
}

function summaryOf(results) {
  const details = results.map(([name, result]) => ({ name, ...result, ...timesOf(result.starts) }))
  return {
    held: details.every(
      ({ lost, damage, counted, kills, slowestMs }) =>
        lost.length === 0 &&
        damage.length === 0 &&
        counted >= COUNTED_MIN * kills &&
        slowestMs <= READY_MS,
    ),
    figure: details
      .map(
        ({ name, kills, acknowledged, lost, damage, ...times }) =>
          `${name}: ${kills} kills, ${acknowledged} effects, ${lost.length} lost, ${damage.length} damages, ready within ${times.slowestMs} ms, usually ${times.medianMs} (${times.counted} undisturbed starts; ${times.slowestOfAllMs} ms among all)`,
      )
      .join('; '),
  }
}

function timesOf(starts) {
  const undisturbed = starts.filter(({ isUndisturbed }) => isUndisturbed)
  const times = undisturbed.map(({ ms }) => ms).sort((a, b) => a - b)
  return {
    counted: times.length,
    medianMs: times[times.length >> 1],
    slowestMs: times.at(-1),
    slowestOfAllMs: Math.max(...starts.map(({ ms }) => ms)),
  }
}

import { undelivered } from '../parts/undelivered.js'
import { FAULTS } from '../services/faulty-front.js'
import { judge, medianMs } from '../services/judge.js'
import { askAll, untilBack } from '../services/requests.js'
import { startWorld } from '../services/start-world.js'

const FAULT_MS = { full: 60_000, small: 4000 }
const CALM_MS = { full: 10_000, small: 4000 }
const SHORTEST_MS = 4000
const FAULTS_IN_ALL = 16
/** A provider that failed several times is not asked for ten seconds. */
const BACK_MS = 30_000

export const services = {
  name: 'services',
  shows:
    'mail server, receivers, identity provider and captcha that refuse, hang, lie or die: other answers and their times stay, and all is delivered afterwards',
  needs: [],
  broken: [
    {
      file: 'src/features/mail/delivery.ts',
      from: 'clock.now() - created_at < GIVE_UP_AFTER ? pauseAfter(attempts, status) : null',
      to: 'attempts < 1 ? pauseAfter(attempts, status) : null',
      why: 'mails are given up after the first try',
    },
    {
      file: 'src/features/events/receivers.ts',
      from: 'if (status >= 200 && status < 300)',
      to: 'if (status >= 200 && status < 400)',
      why: 'a redirect counts as delivered',
    },
    {
      file: 'src/compose-service.ts',
      from: 'outboundMs = 5 * SECOND',
      to: 'outboundMs = 60 * SECOND',
      why: 'calls to others may take a minute',
    },
  ],

  async run(options) {
    const world = await startWorld(options)
    const rows = []
    const times = { calmMs: CALM_MS[options.size], faultMs: faultMsOf(options) }
    const faults = Object.keys(world.fronts).flatMap((name) => FAULTS.map((fault) => [name, fault]))
    for (const [name, fault] of faults) {
      const row = await breakOnce(world, name, fault, times)
      rows.push(row)
      options.say(`${row.name}: ${row.missed.join(', ') || 'as it must be'}, ${timesOf(row)}`)
      // What is lost stays lost: after each further fault the proof would wait for it in vain.
      if (row.lost.length > 0) break
    }
    const missed = rows.flatMap((row) => row.missed.map((words) => `${row.name}: ${words}`))
    const most = (key) => Math.max(...rows.map((row) => row[key]))
    const worst = { backMs: most('backMs'), deliveredMs: most('deliveredMs') }
    return {
      held: missed.length === 0,
      figure: [
        `${rows.length} faults of ${Math.round(times.faultMs / 1000)} s, ${world.people.length} accounts, ${timesOf(worst)}`,
        ...missed,
      ].join('; '),
      details: { ...times, rows },
    }
  },
}

/** With fewer minutes, all faults are shorter. */
function faultMsOf({ size, minutes = Number.POSITIVE_INFINITY }) {
  const eachMs = (minutes * 60_000) / FAULTS_IN_ALL - CALM_MS[size]
  return Math.max(SHORTEST_MS, Math.min(FAULT_MS[size], eachMs))
}

async function breakOnce(world, name, fault, { calmMs, faultMs }) {
  const front = world.fronts[name]
  const before = await askAll(world, calmMs)
  await front.become(fault)
  const during = await askAll(world, faultMs)
  await front.become('well')
  const mendedAt = performance.now()
  const backMs = await untilBack(world, BACK_MS)
  const lost = await lostIn(world)
  const deliveredMs = performance.now() - mendedAt
  return {
    name: `${name} ${fault}`,
    backMs: Math.round(backMs),
    deliveredMs: Math.round(deliveredMs),
    answers: Object.fromEntries(
      Object.entries(during).map(([kind, replies]) => [kind, figuresOf(before[kind], replies)]),
    ),
    lost,
    missed: [
      ...judge(name, before, during),
      ...(Number.isFinite(backMs) ? [] : ['it did not get well']),
      ...lost,
    ],
  }
}

/** Mails and events of all people so far that do not come, in words. */
async function lostIn({ people, mail, receiver, steadyReceiver }) {
  const events = people.map((one) => `registered ${one}`)
  const letters = people.map((one) => `${one}@example.com`)
  const missing = {
    mails: await undelivered(letters, mail.counts),
    events: await undelivered(events, receiver.heard),
    'events of the other receiver': await undelivered(events, steadyReceiver.heard),
  }
  return Object.entries(missing)
    .filter(([, lost]) => lost.length > 0)
    .map(([what, lost]) => `${lost.length} ${what} not delivered`)
}

const figuresOf = (before, during) => ({
  count: during.length,
  usualMs: medianMs(before),
  medianMs: medianMs(during),
})

const timesOf = ({ backMs, deliveredMs }) =>
  `good again within ${backMs} ms, all delivered within ${deliveredMs} ms`

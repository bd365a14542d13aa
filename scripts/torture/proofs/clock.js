import { setTimeout } from 'node:timers/promises'
import { startTestService } from '../clock/test-service.js'
import { links } from '../one-shot/links.js'
import { proofsOfPeople } from '../one-shot/proofs-of-people.js'

const HOUR = 3_600_000
const IDLE_MS = { full: 5000, small: 1000 }
const ROUNDS = { full: 10, small: 1 }
/** A share of one core, of a process that nobody asks anything. */
const BUSY = 0.5
const ARTEFACTS = [...links, ...proofsOfPeople].filter(({ door = 'open' }) => door === 'open')

/** Milliseconds from now to the last half minute before the next 29 February, in UTC. */
function untilLeapDay() {
  let year = new Date().getUTCFullYear() + 1
  while (new Date(Date.UTC(year, 1, 29)).getUTCMonth() !== 1) year += 1
  return Date.UTC(year, 1, 29) - 30_000 - Date.now()
}

/**
 * What happens to an artefact, as jumps of the clock from the real time: where it is made, and where it is used. It
 * may succeed at most once, and exactly once if `works`.
 */
const journeys = () => {
  const leap = untilLeapDay()
  return [
    { name: 'used, then back and forth', made: 0, used: [0, -HOUR, 0, HOUR, 0], works: true },
    { name: 'unused over an hour', made: 0, used: [HOUR, 0, -HOUR, 0], works: false },
    { name: 'made in the future', made: HOUR, used: [0, HOUR, 0], works: true },
    { name: 'made in the past', made: -HOUR, used: [-HOUR, 0, -HOUR], works: true },
    { name: 'over the start of a leap day', made: leap, used: [leap + 60_000, leap], works: true },
    { name: 'after all of them', made: 0, used: [0, 0], works: true },
  ]
}

export const clock = {
  name: 'clock',
  shows:
    'jumps of the clock and a leap day: nothing works twice, nothing is refused forever, no busy loop',
  needs: [],
  broken: [
    {
      why: 'a code of an authenticator app is accepted again when its time comes again',
      file: 'src/features/mfa/mfa-queries.ts',
      from: ".where('last_step', '<', step)",
      to: ".where('last_step', '<=', step)",
    },
    {
      why: 'a used key of an address stays',
      file: 'src/features/registration/email-keys-queries.ts',
      from: "    .deleteFrom('email_keys')\n    .where('digest', '=', digest)\n    .where('purpose', '=', purpose)\n    .where('expires_at', '>', now)\n    .returningAll(),",
      to: "    .selectFrom('email_keys')\n    .where('digest', '=', digest)\n    .where('purpose', '=', purpose)\n    .where('expires_at', '>', now)\n    .selectAll(),",
    },
  ],

  async run(options) {
    const { size, say } = options
    const service = await startTestService(options)
    const failures = []
    let busiest = 0
    let round = 0
    let made = 0
    for (; round < ROUNDS[size]; round++) {
      for (const journey of journeys()) {
        for (const artefact of ARTEFACTS) {
          made += 1
          const wrong = await travel(service, artefact, journey, made)
          if (wrong) failures.push(`${artefact.name}, ${journey.name}: ${wrong}`)
        }
        await service.turn(journey.used.at(-1))
        const shareSince = await service.busyShare()
        await setTimeout(IDLE_MS[size])
        busiest = Math.max(busiest, await shareSince())
        say(`round ${round + 1}, ${journey.name}: ${failures.length} failures`)
      }
    }
    if (busiest > BUSY) failures.push(`idle, but ${Math.round(busiest * 100)} % of a core busy`)
    for (const failure of failures) say(failure)
    const outcome =
      failures.length === 0 ? 'nothing twice, nothing dead' : failures.slice(0, 5).join('; ')
    return {
      held: failures.length === 0,
      figure: `${ARTEFACTS.length} artefacts × ${journeys().length} journeys × ${round} rounds, ${outcome}, at most ${Math.round(busiest * 100)} % of a core when idle`,
      details: { artefacts: ARTEFACTS.map(({ name }) => name), failures, busiest },
    }
  },
}

async function travel({ people, turn }, { make, use }, { made, used, works }, number) {
  await turn(made)
  const thing = await make(people, { round: number })
  const statuses = []
  for (const ms of used) {
    await turn(ms)
    const { status } = await use(people, thing, 0)
    if (!(status < 500)) return `answered ${status}`
    statuses.push(status)
  }
  const good = statuses.filter((status) => status < 300).length
  return good > 1 || (works && good !== 1) ? `answered ${statuses.join(', ')}` : null
}

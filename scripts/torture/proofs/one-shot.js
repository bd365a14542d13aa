import { links } from '../one-shot/links.js'
import { proofsOfPeople } from '../one-shot/proofs-of-people.js'
import { uniqueness } from '../one-shot/uniqueness.js'
import { countStatuses } from '../parts/client.js'
import { startDeployment } from '../parts/deployments.js'

const SIZES = { full: { crowd: 64, rounds: 50 }, small: { crowd: 16, rounds: 1 } }
const DEPLOYMENTS = [
  'SQLite, 2 workers',
  'PostgreSQL, 3 instances',
  'PostgreSQL behind PgBouncer, 3 instances',
]
const ARTEFACTS = [...links, ...proofsOfPeople, ...uniqueness]

export const oneShot = {
  name: 'one-shot',
  shows: 'everything that is good once, and everything unique, succeeds exactly once in parallel',
  needs: ['pgbouncer'],
  broken: [
    {
      why: 'the code of an authenticator app is not spent by its step',
      file: 'src/features/mfa/mfa-queries.ts',
      from: ".where('last_step', '<', step)",
      to: ".where('last_step', '<=', step)",
    },
    {
      why: 'a login code is read, and not spent',
      file: 'src/features/codes/codes-queries.ts',
      from: "    .where('code_digest', '=', code_digest)\n    .returning('place'),",
      to: "    .returning('place'),",
    },
    {
      why: 'a code of a provider is spent without asking whether it was',
      file: 'src/features/social/social-queries.ts',
      from: ".onConflict((conflict) => conflict.doNothing())\n    .returning('digest'),",
      to: ".onConflict((c) => c.column('digest').doUpdateSet({ expires_at: 1 }))\n    .returning('digest'),",
    },
  ],

  async run(options) {
    const { size, minutes = Number.POSITIVE_INFINITY, say } = options
    const { crowd, rounds } = SIZES[size]
    const until = performance.now() + minutes * 60_000
    const failures = []
    let done = 0
    const deployments = await openDeployments(options, crowd)
    for (let round = 1; round <= rounds && performance.now() < until; round++) {
      for (const deployment of deployments) {
        for (const artefact of ARTEFACTS) {
          const wrong = await tryOnce(artefact, deployment, round)
          if (wrong)
            failures.push({ deployment: deployment.name, artefact: artefact.name, round, wrong })
          if (wrong) say(`${deployment.name}, ${artefact.name}: ${wrong}`)
        }
      }
      done = round
      say(`round ${round} of ${rounds}`)
    }
    const what = `${ARTEFACTS.length} artefacts × ${crowd} parallel × ${done} rounds × ${deployments.length} deployments`
    return {
      held: failures.length === 0 && done > 0,
      figure: `${what}, ${failures.length === 0 ? 'exactly one success each' : `${failures.length} without exactly one success`}`,
      details: { artefacts: ARTEFACTS.map(({ name }) => name), rounds: done, crowd, failures },
    }
  },
}

/** Each with people who are signed in, and instances for those who are invited. */
async function openDeployments(options, crowd) {
  const deployments = []
  for (const name of DEPLOYMENTS) {
    const deployment = await startDeployment(name, options)
    const { people } = deployment
    const invited = await deployment.beside({ ACCOUNT_SIGNUP: 'invited' })
    const signedIn = await people.many(crowd, people.signedIn)
    const doors = { open: people, staffed: people, invited: invited.people }
    deployments.push({ name, doors, crowd: signedIn, instance: deployment.instances[0] })
  }
  return deployments
}

/** Returns what was wrong, or null. A request that comes too late must be refused: no answer is lost, and none is a 5xx. */
async function tryOnce({ door = 'open', make, use }, deployment, round) {
  const { crowd, instance } = deployment
  const people = deployment.doors[door]
  const thing = await make(people, { round, crowd, instance })
  const replies = await Promise.all(crowd.map((_, i) => use(people, thing, i)))
  const good = replies.filter(({ status }) => status >= 200 && status < 300)
  const refused = replies.filter(({ status }) => status >= 400 && status < 500)
  const isRight = good.length === 1 && good.length + refused.length === replies.length
  return isRight ? null : countStatuses(replies)
}

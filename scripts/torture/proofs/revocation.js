import { startDeployment } from '../parts/deployments.js'
import { everyCredential, isGood } from '../revocation/credentials.js'
import { ways } from '../revocation/ways.js'

const ROUNDS = { full: 10, small: 1 }

export const revocation = {
  name: 'revocation',
  shows:
    'whatever ends a credential, every instance refuses it at the next request, and nothing else',
  needs: [],
  broken: [
    {
      why: 'a revocation leaves the keys of programs',
      file: 'src/features/tokens/revocation.ts',
      from: '      await everyFeature.revoked(userId, tx)\n',
      to: '',
    },
    {
      why: 'ending a login leaves its rows',
      file: 'src/features/tokens/revocation.ts',
      from: 'return sessions.endOneOf(userId, loginId, tx)',
      to: 'return loginId > 0',
    },
  ],

  async run(options) {
    const { size, minutes = Number.POSITIVE_INFINITY, say } = options
    const until = performance.now() + minutes * 60_000
    const deployment = await startDeployment('PostgreSQL, 3 instances', options)
    const { people: byToken } = await deployment.beside({ REST_AUTH_USE_JWT: 'false' })
    const failures = []
    let rounds = 0
    while (rounds < ROUNDS[size] && performance.now() < until) {
      for (const way of ways) {
        const wrong = await tryWay(way, deployment, byToken)
        failures.push(...wrong)
        for (const failure of wrong) say(failure)
      }
      rounds += 1
      say(`round ${rounds} of ${ROUNDS[size]}`)
    }
    const outcome = failures.length === 0 ? 'refused on the next request' : failures.join('; ')
    return {
      held: failures.length === 0 && rounds > 0,
      figure: `${ways.length} ways × 8 credentials × ${deployment.instances.length} instances × ${rounds} rounds, ${outcome}`,
      details: { ways: ways.map(({ name, ends }) => ({ name, ends })), rounds, failures },
    }
  },
}

/** Every instance has seen every credential before, so that whatever it remembers of them is put to the test. */
async function tryWay({ name, ends, run }, { people, instances }, byToken) {
  const { person, credentials } = await everyCredential(people, byToken)
  const look = () => Promise.all(credentials.map((one) => goodPlaces(people, one, instances)))
  const before = await look()
  await run(people, person)
  const after = await look()
  return credentials.flatMap((credential, at) => {
    const expected = ends.includes(credential.name) ? 0 : instances.length
    const wrong = []
    if (before[at] !== instances.length) wrong.push(`${name}: ${credential.name} was never good`)
    if (after[at] !== expected) {
      wrong.push(`${name}: ${credential.name} is good on ${after[at]}, not ${expected} instances`)
    }
    return wrong
  })
}

async function goodPlaces(people, credential, instances) {
  const answers = await Promise.all(instances.map((_, i) => isGood(people, credential, i)))
  return answers.filter(Boolean).length
}

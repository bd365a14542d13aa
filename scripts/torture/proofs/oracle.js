import { cases } from '../oracle/cases.js'
import { auc, tolerance } from '../oracle/statistics.js'
import { withoutChance } from '../oracle/without-chance.js'
import { startDeployment } from '../parts/deployments.js'
import { seededRandom } from '../parts/random.js'

const SIZES = { full: 2000, small: 60 }
/** Everything that the first requests load and compile. */
const WARM_UP = 20

export const oracle = {
  name: 'oracle',
  shows: 'no public endpoint tells by body, headers or time whether an account exists',
  needs: [],
  broken: [
    {
      why: 'an unknown user costs no hash',
      file: 'src/features/login/login.ts',
      from: 'const isRight = await hashKinds.verify(',
      to: 'const isRight = user !== undefined && await hashKinds.verify(',
    },
    {
      why: 'nothing is written for an unknown address',
      file: 'src/features/passwords/password-reset.ts',
      from: 'await deliver(letter, db).catch(unlessUserIsDeleted)',
      to: 'if (user) await deliver(letter, db).catch(unlessUserIsDeleted)',
    },
  ],

  async run(options) {
    const { size, seed, minutes, say } = options
    const count = SIZES[size]
    const until = performance.now() + (minutes ?? Number.POSITIVE_INFINITY) * 60_000
    const random = seededRandom(seed)
    const { people } = await startDeployment('SQLite, 1 instance', options)
    const results = []
    for (const one of cases) {
      const share = (until - performance.now()) / (cases.length - results.length)
      const result = await compare(people, one, { count, random, ms: share })
      results.push(result)
      say(`${result.name}: AUC ${result.auc.toFixed(3)} over ${result.samples} a class`)
    }
    const told = results.filter(({ differs, isTold }) => differs || isTold)
    const aucs = results.map((one) => one.auc)
    const range = `AUC ${Math.min(...aucs).toFixed(3)} to ${Math.max(...aucs).toFixed(3)}`
    const samples = Math.min(...results.map((one) => one.samples))
    const outcome = told.map(({ name, differs, auc }) => `${name} (${differs ?? auc.toFixed(3)})`)
    return {
      held: told.length === 0,
      figure: `${results.length} questions × ${samples} known and unknown: ${range}, ${told.length === 0 ? 'bodies and headers identical' : `told by ${outcome.join(', ')}`}`,
      details: { results },
    }
  },
}

/** Sends both classes in random order, one request after the other, so that noise meets both alike. */
async function compare(people, { name, prepare, strangers, ask }, { count, random, ms }) {
  const until = performance.now() + ms
  const known = await prepare(people)
  const strangerOf = await strangers(people, known)
  const classes = [
    { isKnown: true, times: [], answers: new Set(), sent: 0 },
    { isKnown: false, times: [], answers: new Set(), sent: 0 },
  ]
  for (let round = 0; round < WARM_UP + count && performance.now() < until; round++) {
    for (const one of random.shuffle(classes)) {
      const stranger = strangerOf(random.below(2 ** 31))
      const reply = await ask(people, one.isKnown ? known : stranger)
      if (round < WARM_UP) continue
      one.times.push(reply.ms)
      one.answers.add(withoutChance(reply))
    }
  }
  const [ofKnown, ofUnknown] = classes
  const samples = ofKnown.times.length
  const area = auc(ofKnown.times, ofUnknown.times)
  const same =
    JSON.stringify([...ofKnown.answers].sort()) === JSON.stringify([...ofUnknown.answers].sort())
  return {
    name,
    samples,
    auc: area,
    isTold: !(Math.abs(area - 0.5) <= tolerance(samples)),
    differs: same ? null : `${[...ofKnown.answers]} but ${[...ofUnknown.answers]}`,
  }
}

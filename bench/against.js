// Compares this build with that of another checkout: `node bench/against.js <checkout> [part…]`.
// Both must be built. `part` is a part of the name of a case; without any, all of them run. ROUNDS sets how many.
//
// Both services run side by side and are asked in turn, in many short rounds. What is compared is the
// CPU time that the service itself needs for one request, which a busy machine disturbs little, and
// the time on the clock. The ratio is taken within each round, and its median is reported.
import { join, resolve } from 'node:path'
import { inFolder } from '../scripts/in-folder.js'
import { ask } from './lib/client.js'
import { measureOnce } from './lib/measure.js'
import { median, quantile } from './lib/numbers.js'
import { PASSWORD, SECRET_KEY } from './lib/people.js'
import { PROBE, programOf, runCommand, startService, thisProgram } from './lib/server.js'

const ROUNDS = Number(process.env.ROUNDS ?? 20)
const SECONDS = Number(process.env.SECONDS ?? 0.5)
const CONNECTIONS = 8

const JWT = { REST_AUTH_USE_JWT: 'true', REST_AUTH_JWT_AUTH_HTTPONLY: 'false' }
const ROTATION = {
  SIMPLE_JWT_ROTATE_REFRESH_TOKENS: 'true',
  SIMPLE_JWT_BLACKLIST_AFTER_ROTATION: 'true',
}
const CHEAP = { CHEAP_HASHES: '1' }

const logIn = { method: 'POST', path: 'login/', body: { username: 'ada', password: PASSWORD } }
const again = (request) => () => request
const isAda = (text) => text.includes('"username":"ada"')
const getUser = (headers) => again({ path: 'user/', headers, expects: isAda })
const logInAgain = () => again(logIn)

/** `client(login)` makes the requests of one connection. They depend on the answer to its login. */
const CASES = {
  'user/ by token': { client: ({ key }) => getUser({ authorization: `Token ${key}` }) },
  'user/ by session': { client: ({ cookie }) => getUser({ cookie }) },
  'user/ by JWT': {
    settings: JWT,
    client: ({ access }) => getUser({ authorization: `Bearer ${access}` }),
  },
  'token/refresh/, rotated': {
    settings: { ...JWT, ...ROTATION },
    client: (login) => {
      let { refresh } = login
      const expects = (text) => {
        refresh = JSON.parse(text).refresh
        return refresh !== undefined
      }
      return () => ({ method: 'POST', path: 'token/refresh/', body: { refresh }, expects })
    },
  },
  'login/, token, cheap hash': { settings: CHEAP, client: logInAgain },
  'login/, JWT, cheap hash': { settings: { ...JWT, ...CHEAP }, client: logInAgain },
  'login/, token, default hash': { client: logInAgain },
}

const [other, ...parts] = process.argv.slice(2)
if (!other) throw new Error('Which checkout? node bench/against.js <checkout> [part…]')
const programs = { old: programOf(resolve(other)), new: thisProgram }

process.stdout.write(
  `µs per request, medians of ${ROUNDS} rounds; the spread is of the middle half\n`,
)
for (const [name, { settings = {}, client }] of Object.entries(CASES)) {
  if (parts.length > 0 && !parts.some((part) => name.includes(part))) continue
  report(name, await inFolder((folder) => compare(folder, settings, client)))
}

async function compare(folder, settings, client) {
  const sides = {}
  try {
    for (const [side, program] of Object.entries(programs)) {
      sides[side] = await prepare({ side, program, folder, settings, client })
    }
    const measure = (side, seconds) =>
      measureOnce(sides[side], { seconds, connections: CONNECTIONS })
    // The first requests do not count, since code is compiled while it runs.
    for (const side of Object.keys(sides)) await measure(side, 4 * SECONDS)
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) {
      const took = {}
      // The first one of a round is not always the same.
      for (const side of round % 2 === 0 ? ['old', 'new'] : ['new', 'old']) {
        const { cpu, rate } = await measure(side, SECONDS)
        took[side] = { cpu, clock: 1e6 / rate }
      }
      rounds.push(took)
    }
    return rounds
  } finally {
    for (const { server } of Object.values(sides)) await server.stop()
  }
}

async function prepare({ side, program, folder, settings, client }) {
  const env = { DATABASE_URL: `sqlite:${join(folder, `${side}.db`)}`, SECRET_KEY, ...settings }
  // A cheap hash must be made with the probe, too.
  const nodeArgs = ['--import', PROBE]
  const create = ['user', 'create', '--username', 'ada', '--password-stdin']
  await runCommand(create, { env, folder, program, nodeArgs, input: PASSWORD })
  const server = await startService(env, folder, { program })
  const connections = []
  for (let n = 0; n < CONNECTIONS; n++) connections.push(client(await loginOf(server.url)))
  return { server, script: (index) => connections[index] }
}

async function loginOf(url) {
  let cookie = ''
  const expects = (_text, head) => {
    cookie = [...head.matchAll(/^set-cookie: ([^;\r\n]+)/gim)].map(([, pair]) => pair).join('; ')
    return true
  }
  return { ...JSON.parse(await ask(url, { ...logIn, expects })), cookie }
}

function report(name, rounds) {
  for (const measured of ['cpu', 'clock']) {
    const [before, after] = ['old', 'new'].map((side) =>
      median(rounds.map((round) => round[side][measured])),
    )
    const ratios = rounds.map((round) => round.new[measured] / round.old[measured])
    const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(2))
    process.stdout.write(
      `${name.padEnd(30)}${measured.padEnd(6)} old ${before.toFixed(0).padStart(6)}  new ${after.toFixed(0).padStart(6)}  new/old ${middle} (${low}–${high})\n`,
    )
  }
}

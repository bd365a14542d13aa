// Compares this build with that of another checkout: `node bench/against.js <checkout> [part…]`.
// Both must be built. `part` is a part of the name of a case; without any, all of them run.
//
// Both services run side by side and are asked in turn, in many short rounds. What is compared is the
// CPU time that the service itself needs for one request, which a busy machine disturbs little, and
// the time on the clock. The ratio is taken within each round, and its median is reported.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createUser,
  logIn,
  median,
  programOf,
  quantile,
  start,
  thisProgram,
  USER,
} from './service.js'

const ROUNDS = Number(process.env.ROUNDS ?? 20)
const CONNECTIONS = 8
const PROBE = fileURLToPath(new URL('./probe.js', import.meta.url))

const JWT = { REST_AUTH_USE_JWT: 'true', REST_AUTH_JWT_AUTH_HTTPONLY: 'false' }
const ROTATION = {
  SIMPLE_JWT_ROTATE_REFRESH_TOKENS: 'true',
  SIMPLE_JWT_BLACKLIST_AFTER_ROTATION: 'true',
}
const CHEAP = { CHEAP_HASHES: '1' }

const getUser = (headers) => () => ({ path: 'user/', headers })
const cookieHeader = (cookies) => cookies.map((cookie) => cookie.split(';')[0]).join('; ')

/** `client(login)` makes the requests of one connection, each from the answer before it. */
const CASES = {
  'user/ by token': { client: ({ key }) => getUser({ authorization: `Token ${key}` }) },
  'user/ by session': { client: ({ cookies }) => getUser({ cookie: cookieHeader(cookies) }) },
  'user/ by JWT': {
    settings: JWT,
    client: ({ access }) => getUser({ authorization: `Bearer ${access}` }),
  },
  'token/refresh/, rotated': {
    settings: { ...JWT, ...ROTATION },
    requests: 800,
    client: ({ refresh: first }) => {
      return ({ refresh } = { refresh: first }) => ({ path: 'token/refresh/', body: { refresh } })
    },
  },
  'login/, token, cheap hash': {
    settings: CHEAP,
    requests: 800,
    client: () => () => ({ path: 'login/', body: USER }),
  },
  'login/, JWT, cheap hash': {
    settings: { ...JWT, ...CHEAP },
    requests: 800,
    client: () => () => ({ path: 'login/', body: USER }),
  },
  'login/, token, default hash': {
    requests: 80,
    client: () => () => ({ path: 'login/', body: USER }),
  },
}

const [other, ...parts] = process.argv.slice(2)
if (!other) throw new Error('Which checkout? node bench/against.js <checkout> [part…]')
const programs = { old: programOf(resolve(other)), new: thisProgram }

process.stdout.write(
  `µs per request, medians of ${ROUNDS} rounds; the spread is of the middle half\n`,
)
for (const [name, kind] of Object.entries(CASES)) {
  if (parts.length > 0 && !parts.some((part) => name.includes(part))) continue
  report(name, await compare({ requests: 1000, settings: {}, ...kind }))
}

async function compare({ settings, client, requests }) {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-against-'))
  const services = {}
  try {
    for (const [side, program] of Object.entries(programs)) {
      services[side] = await prepare({ side, program, folder, settings, client })
    }
    // The first requests do not count, since code is compiled while it runs.
    for (const service of Object.values(services)) await measure(service, 4 * requests)
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) {
      // The first one of a round is not always the same.
      const sides = round % 2 === 0 ? ['old', 'new'] : ['new', 'old']
      const took = {}
      for (const side of sides) took[side] = await measure(services[side], requests)
      rounds.push(took)
    }
    return rounds
  } finally {
    for (const { child } of Object.values(services)) child.kill('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
}

async function prepare({ side, program, folder, settings, client }) {
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    DATABASE_URL: `sqlite:${join(folder, `${side}.db`)}`,
    SECRET_KEY: 'a key that only the benchmark ever uses',
    ...settings,
  }
  const nodeArgs = ['--import', PROBE]
  await createUser(program, { env, nodeArgs })
  const log = join(folder, `${side}.log`)
  const args = [...nodeArgs, ...(process.env.NODE_ARGS?.split(' ') ?? []), program, 'serve']
  const { child, url } = await start(args, { env, log, ipc: true })
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const chains = []
  for (let n = 0; n < CONNECTIONS; n++)
    chains.push({ next: client(await logIn(url)), last: undefined })
  return { child, url, agent, chains }
}

/** Microseconds per request. */
async function measure({ child, url, agent, chains }, requests) {
  const cpuBefore = await cpuOf(child)
  const before = performance.now()
  await Promise.all(
    chains.map(async (chain) => {
      for (let n = 0; n < requests / CONNECTIONS; n++) {
        chain.last = await ask(url, agent, chain.next(chain.last))
      }
    }),
  )
  const clock = ((performance.now() - before) * 1000) / requests
  return { clock, cpu: ((await cpuOf(child)) - cpuBefore) / requests }
}

async function cpuOf(child) {
  child.send('cpu')
  const [{ user, system }] = await once(child, 'message')
  return user + system
}

function ask(url, agent, { path, headers, body }) {
  const json = body && JSON.stringify(body)
  const of = json
    ? {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': json.length },
      }
    : { headers }
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${path}`, { agent, ...of }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (chunk) => {
        text += chunk
      })
      reply.on('end', () => {
        if (reply.statusCode === 200) resolve(JSON.parse(text))
        else reject(new Error(`${path}: ${reply.statusCode} ${text}`))
      })
    })
    asked.on('error', reject)
    asked.end(json)
  })
}

function report(name, rounds) {
  for (const measured of ['cpu', 'clock']) {
    const [before, after] = ['old', 'new'].map((side) =>
      median(rounds.map((r) => r[side][measured])),
    )
    const ratios = rounds.map((round) => round.new[measured] / round.old[measured])
    const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(2))
    process.stdout.write(
      `${name.padEnd(30)}${measured.padEnd(6)} old ${before.toFixed(0).padStart(6)}  new ${after.toFixed(0).padStart(6)}  new/old ${middle} (${low}–${high})\n`,
    )
  }
}

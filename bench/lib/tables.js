// The results as tables in Markdown. The same text goes to the terminal and into docs/performance.md.
import { WEIGHT_GOALS as GOALS } from './goals.js'
import { round, thousands } from './numbers.js'

const CASES = {
  userByToken: '`GET user/` by token',
  userBySession: '`GET user/` by session',
  userByJwt: '`GET user/` by JWT',
  tokenVerify: '`POST token/verify/`',
  tokenVerifyNew: '`POST token/verify/`, each token once',
  tokenRefresh: '`POST token/refresh/`, rotated',
  introspect: '`POST introspect/`',
  login: '`POST login/`',
}
export const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

const mb = (bytes) => `${Math.round(bytes / 1e6)} MB`
const ms = (number) => `${round(number)} ms`
const time = (micros) => (micros < 10_000 ? `${Math.round(micros)} µs` : ms(micros / 1000))
const perSecond = (number) => (number < 100 ? String(round(number)) : thousands(number))
const ratio = (number) => number.toFixed(2)

/** Pads the cells, so that the text can be read as it is. */
function table(head, rows) {
  const all = [head, head.map(() => ''), ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length), 3))
  const pad = (cell, column) =>
    column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  const lines = [head.map(pad), rule, ...rows.map((row) => row.map(pad))]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const figures = ({ rate, cpu, p50, p99 }) => [time(cpu), perSecond(rate), ms(p50), ms(p99)]

export function floorsTable({ floors }) {
  const rows = Object.entries(floors).flatMap(([engine, { cases }]) =>
    Object.entries(cases)
      .filter(([, { floor }]) => floor)
      .map(([name, { floor, latchkey }]) => [
        `${CASES[name]}, ${ENGINES[engine]}`,
        time(floor.cpu),
        ...figures(latchkey),
        ratio(latchkey.share),
      ]),
  )
  return table(['request', 'floor, CPU', 'CPU', 'per second', 'p50', 'p99', 'share'], rows)
}

/** What others publish. No figure of theirs was measured here. */
const PUBLISHED = {
  login: ['15', '51 in all'],
  tokenRefresh: ['120', '–'],
  userByToken: ['–', '–'],
  introspect: ['–', '–'],
  idle: ['1,250 MB', '512 MB to 1 GB'],
  load: ['–', '–'],
}

export function capacityTable({ floors }) {
  const engines = Object.keys(floors)
  const perCore = (name) =>
    engines.map((engine) => perSecond(1e6 / floors[engine].cases[name].latchkey.cpu))
  const memory = (when) => engines.map((engine) => mb(floors[engine].memory[when]))
  const rows = [
    ['logins with a password, per second', ...perCore('login'), ...PUBLISHED.login],
    ['refreshes, per second', ...perCore('tokenRefresh'), ...PUBLISHED.tokenRefresh],
    ['`user/`, per second', ...perCore('userByToken'), ...PUBLISHED.userByToken],
    ['introspections, per second', ...perCore('introspect'), ...PUBLISHED.introspect],
    ['memory, idle', ...memory('idle'), ...PUBLISHED.idle],
    ['memory, under load', ...memory('load'), ...PUBLISHED.load],
  ]
  return table(['', ...engines.map((name) => ENGINES[name]), 'Keycloak', 'Zitadel'], rows)
}

const PEER_CASES = { session: 'get session', signIn: 'sign in', signUp: 'sign up' }

export function peersTable({ peers }) {
  const rows = Object.entries(PEER_CASES).flatMap(([name, words]) =>
    Object.entries(peers[name]).map(([peer, measured]) => [
      `${words}: ${peer}`,
      ...figures(measured),
      ratio(1 / measured.share),
    ]),
  )
  return table(['', 'CPU', 'per second', 'p50', 'p99', 'CPU, if Latchkey is 1'], rows)
}

export function loginsTable({ logins }) {
  const rows = Object.entries(logins).map(
    ([clients, { rate, hashes, share, bareShare, p50, p99, userP99 }]) => [
      clients,
      perSecond(rate),
      perSecond(hashes),
      ratio(share),
      ratio(bareShare),
      ms(p50),
      ms(p99),
      ms(userP99),
    ],
  )
  const ours = [
    'logins/s',
    'bound',
    'share',
    'a bare server',
    'p50',
    'p99',
    '`user/` p99 meanwhile',
  ]
  return table(['clients', ...ours], rows)
}

export function workersTable({ workers }) {
  const { floor } = workers
  const rows = Object.entries(workers.counts).flatMap(([count, ours]) => [
    [`Latchkey, \`WORKERS=${count}\``, perSecond(ours.rate), time(ours.cpu)],
    [
      count === '1' ? '1 bare server' : `${count} bare servers`,
      perSecond(floor.counts[count].rate),
      time(floor.counts[count].cpu),
    ],
  ])
  return table(['', 'per second', 'CPU'], rows)
}

export function weightTable({ weight }) {
  const rows = [
    ['start to the first answer', ms(weight.startMs), ms(GOALS.startMs)],
    ['the same, if `node -e 0` is 1', ratio(weight.startPerNode), String(GOALS.startPerNode)],
    ['memory after 40 s without a request', mb(weight.idleBytes), mb(GOALS.idleBytes)],
    ['installed files', mb(weight.installedBytes), mb(GOALS.installedBytes)],
    ['installed packages', String(weight.packages), String(GOALS.packages)],
  ]
  return table(['', 'measured', 'goal: at most'], rows)
}

/** Each section has a title, a table and a sentence on what it shows. `growth` has those of the growth. */
export function sectionsOf(results, growth = []) {
  return [
    results.floors && {
      title: 'What one core does',
      table: capacityTable(results),
      note: 'One second divided by the CPU time per request, for a core that does nothing else. With PostgreSQL, the time of the database is not included. The figures of Keycloak and Zitadel are what they publish.',
    },
    results.logins && {
      title: 'Logins with a password',
      table: loginsTable(results),
      note: 'The bound is how many passwords this machine hashes if it does nothing else, as many at a time as the service does. The share is the part of it that becomes logins. The bare server (`bench/lib/login-floor.js`) only hashes the password, reads the user and keeps a login, so its share is what can be reached on this machine.',
    },
    results.workers && {
      title: 'Workers',
      table: workersTable(results),
      note: `Two workers serve ${ratio(results.workers.gain)} times as many requests as one, with ${ratio(results.workers.cpuRatio)} times the CPU time for each. Two bare servers serve ${ratio(results.workers.floor.gain)} times as many as one, with ${ratio(results.workers.floor.cpuRatio)} times the CPU time. Measured with ${results.workers.client}, which runs on the same cores; the ratios are medians of the rounds.`,
    },
    results.weight && {
      title: 'Start, memory and disk',
      table: weightTable(results),
      note: `\`node -e 0\` takes ${ms(results.weight.nodeMs)}, \`latchkey version\` ${ms(results.weight.versionMs)}.`,
    },
    ...growth,
    results.peers && {
      title: 'Other programs',
      table: peersTable(results),
      note: 'All with SQLite, on one machine, in turn. The password hash comes after the name; argon2id has the same cost everywhere.',
    },
    results.floors && {
      title: 'A bare server',
      table: floorsTable(results),
      note: 'The floor is a bare `node:http` server that runs the same statements, and does nothing else (`bench/lib/floor.js`). The share is its CPU time divided by that of Latchkey, the median of the rounds.',
    },
  ].filter(Boolean)
}

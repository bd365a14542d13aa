import { round, thousands } from './numbers.js'
import { ENGINES } from './tables.js'

const REQUESTS = {
  login: '`login/` without its hash',
  tokenLookup: '`user/` by token',
  refresh: '`token/refresh/`, rotated',
  sessions: '`sessions/`',
  registration: '`registration/` without its hash',
  listPage: 'admin: the first page of users',
  nextPage: 'admin: the next page',
  search: 'admin: a search for an address',
}
const OTHERS = {
  startMs: 'start to the first answer',
  userShowMs: '`latchkey user show`',
  sweepMs: 'a sweep of 10,000 rows',
  backupMs: 'a backup',
}
const GOAL = 1.3

const ms = (value) => {
  if (value === null) return '–'
  return value < 10_000 ? `${round(value)} ms` : `${round(value / 1000)} s`
}

/** Other programs slow down every size, so their ratios hold, but the times do not. */
const busy = ({ load, cores }) =>
  load > cores / 2
    ? `, where others ran meanwhile (load ${load.toFixed(1)}): compare only the sizes`
    : ''

/** p50 with the most users, divided by that with the fewest: the median of the rounds. */
const growthOf = ({ sizes, measured }, name) => measured[sizes.at(-1)][name].growth

/** A section for each engine, since each may have been filled with other numbers of users. */
export const growthSections = (results) => Object.entries(results).map(sectionOf)

function sectionOf([engine, results]) {
  const { sizes, measured, taken } = results
  const row = (what, cell, growth = '') =>
    `| ${what} | ${sizes.map((size) => cell(measured[size])).join(' | ')} | ${growth} |`
  const rows = [
    ...Object.entries(REQUESTS).map(([name, what]) =>
      row(
        what,
        (at) => `${ms(at[name].p50)} / ${ms(at[name].p99)}`,
        growthOf(results, name).toFixed(2),
      ),
    ),
    ...Object.entries(OTHERS).map(([name, what]) => row(what, (at) => ms(at[name]))),
    row('bytes per user', (at) => thousands(at.bytesPerUser)),
  ]
  const head = `| p50 / p99 with this many users | ${sizes.map(thousands).join(' | ')} | p50, last to first |`
  const rule = `| --- |${sizes.map(() => ' ---: |').join('')} ---: |`
  const noDump = sizes.some((size) => measured[size].backupMs === null)
  return {
    title: `Growth on ${ENGINES[engine]}`,
    note: `One client that asks for another user each time. A user has a token, a login, an event of the audit and a spent refresh token. All sizes were asked in turn, and the ratio is the median of those within a round. Measured on ${taken.at.slice(0, 10)} with Node ${taken.node.slice(1)} on ${taken.cores} cores (${taken.platform})${busy(taken)}.${noDump ? ' A dash: there is no `pg_dump` of that version.' : ''}`,
    table: [head, rule, ...rows].join('\n'),
  }
}

/** Everything that a request does must grow by less than a third. */
export function missedGrowth(results) {
  return Object.entries(results).flatMap(([engine, ofEngine]) =>
    Object.keys(REQUESTS).flatMap((name) => {
      const growth = growthOf(ofEngine, name)
      return growth <= GOAL
        ? []
        : [`${ENGINES[engine]}, ${name}: ${growth.toFixed(2)} (goal: at most ${GOAL})`]
    }),
  )
}

// What a run has to reach. A goal is checked if its section was measured. A figure that is then missing counts as
// missed.

const share = (engine, name, least) => ({
  what: `floors, ${engine}, ${name}: share of the floor`,
  section: ({ floors }) => floors?.[engine],
  value: ({ cases }) => cases[name]?.latchkey.share,
  least,
})

const atClients = (clients) => [
  {
    what: `logins, ${clients} clients: share of the bound that the hash sets`,
    section: ({ logins }) => logins,
    value: (logins) => logins[clients]?.share,
    least: 0.95,
  },
  {
    what: `logins, ${clients} clients: p99 of user/ meanwhile, ms`,
    section: ({ logins }) => logins,
    value: (logins) => logins[clients]?.userP99,
    most: 50,
  },
]

const ofWorkers = (what, name, bounds) => ({
  what: `workers: ${what}`,
  section: ({ workers }) => workers,
  value: (workers) => workers[name],
  ...bounds,
})

/** None may be more than that. */
export const WEIGHT_GOALS = {
  startMs: 400,
  startPerNode: 3,
  idleBytes: 80e6,
  installedBytes: 40e6,
  packages: 12,
}

const ofWeight = (what, name) => ({
  what: `weight: ${what}`,
  section: ({ weight }) => weight,
  value: (weight) => weight[name],
  most: WEIGHT_GOALS[name],
})

const GOALS = [
  share('sqlite', 'userByToken', 0.7),
  share('sqlite', 'userBySession', 0.7),
  share('sqlite', 'userByJwt', 0.7),
  share('sqlite', 'tokenVerify', 0.85),
  share('sqlite', 'tokenRefresh', 0.6),
  ...['userByToken', 'userBySession', 'userByJwt'].map((name) => share('postgres', name, 0.7)),
  ...[1, 8, 64].flatMap(atClients),
  ofWorkers('two against one', 'gain', { least: 1.7 }),
  ofWorkers('CPU time per request, two against one', 'cpuRatio', { most: 1.05 }),
  ofWeight('start, ms', 'startMs'),
  ofWeight('start against Node', 'startPerNode'),
  ofWeight('idle memory, bytes', 'idleBytes'),
  ofWeight('installed, bytes', 'installedBytes'),
  ofWeight('packages', 'packages'),
]

/** The goals that the results miss, as sentences. */
export function missedGoals(results) {
  return GOALS.flatMap(({ what, section, value, least = -Infinity, most = Infinity }) => {
    const measured = section(results)
    if (!measured) return []
    const reached = value(measured) ?? Number.NaN
    if (reached >= least && reached <= most) return []
    const goal = Number.isFinite(least) ? `at least ${least}` : `at most ${most}`
    return [`${what}: ${Number(reached.toPrecision(3))} (goal: ${goal})`]
  })
}

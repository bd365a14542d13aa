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

const ofWeight = (what, name, most) => ({
  what: `weight: ${what}`,
  section: ({ weight }) => weight,
  value: (weight) => weight[name],
  most,
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
  ofWeight('start, ms', 'startMs', 400),
  ofWeight('start against Node', 'startPerNode', 3),
  ofWeight('idle memory, bytes', 'idleBytes', 80e6),
  ofWeight('installed, bytes', 'installedBytes', 40e6),
  ofWeight('packages', 'packages', 12),
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

// What a run has to reach. Each goal names a figure of the results, and is checked only if it was measured.

const share = (name, least) => ({
  what: `floors, SQLite, ${name}: share of the floor`,
  value: ({ floors }) => floors?.sqlite?.cases[name]?.latchkey.share,
  least,
})

const shareOnPostgres = (name) => ({
  what: `floors, PostgreSQL, ${name}: share of the floor`,
  value: ({ floors }) => floors?.postgres?.cases[name]?.latchkey.share,
  least: 0.7,
})

const atClients = (clients) => [
  {
    what: `logins, ${clients} clients: share of the bound that the hash sets`,
    value: ({ logins }) => logins?.[clients]?.share,
    least: 0.95,
  },
  {
    what: `logins, ${clients} clients: p99 of user/ meanwhile, ms`,
    value: ({ logins }) => logins?.[clients]?.userP99,
    most: 50,
  },
]

const GOALS = [
  share('userByToken', 0.7),
  share('userBySession', 0.7),
  share('userByJwt', 0.7),
  share('tokenVerify', 0.85),
  share('tokenRefresh', 0.6),
  ...['userByToken', 'userBySession', 'userByJwt'].map(shareOnPostgres),
  ...[1, 8, 64].flatMap(atClients),
  { what: 'workers: two against one', value: ({ workers }) => workers?.gain, least: 1.7 },
  { what: 'workers: CPU time per request', value: ({ workers }) => workers?.cpuRatio, most: 1.05 },
  { what: 'weight: start, ms', value: ({ weight }) => weight?.startMs, most: 400 },
  { what: 'weight: start against Node', value: ({ weight }) => weight?.startPerNode, most: 3 },
  { what: 'weight: idle memory, bytes', value: ({ weight }) => weight?.idleBytes, most: 80e6 },
  { what: 'weight: installed, bytes', value: ({ weight }) => weight?.installedBytes, most: 40e6 },
  { what: 'weight: packages', value: ({ weight }) => weight?.packages, most: 12 },
]

/** The goals that the results miss, as sentences. */
export function missedGoals(results) {
  return GOALS.flatMap(({ what, value, least = -Infinity, most = Infinity }) => {
    const reached = value(results) ?? null
    if (reached === null || (reached >= least && reached <= most)) return []
    const goal = Number.isFinite(least) ? `at least ${least}` : `at most ${most}`
    return [`${what}: ${Number(reached.toPrecision(3))} (goal: ${goal})`]
  })
}

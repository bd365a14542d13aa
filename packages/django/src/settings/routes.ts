import type { Found } from './endpoints-there.ts'

type Placed = {
  /** Null if no endpoint has the path of dj-rest-auth. */
  readonly prefix: string | null
  readonly routes: Readonly<Record<string, readonly string[]>>
}

const DEFAULT_PREFIX = '/auth/'

/** The prefix that most endpoints share, and further paths for those that are elsewhere. */
export function prefixAndRoutes(found: readonly Found[]): Placed {
  const prefix = commonPrefix(found)
  const base = prefix ?? DEFAULT_PREFIX
  const elsewhere = new Map<string, string[]>()
  // Django builds a link from the last pattern with a name, and we from the first path.
  const links = found.filter(isLink).toReversed()
  for (const { endpoint, path } of [...found.filter((one) => !isLink(one)), ...links]) {
    // A link keeps its path. Without a route it would lead to the hosted pages, which a proxy may
    // not forward.
    if (path === `${base}${endpoint}` && !isLink({ endpoint })) continue
    const further = path.startsWith(base) ? path.slice(base.length) : path
    const paths = elsewhere.get(endpoint) ?? []
    // Without anything after the prefix there is no path to add.
    if (further !== '' && further !== '/' && !paths.includes(further)) {
      elsewhere.set(endpoint, [...paths, further])
    }
  }
  const kept = [...elsewhere].filter(([endpoint, paths]) => !isImplied(endpoint, paths, elsewhere))
  return { prefix, routes: Object.fromEntries(kept) }
}

/** Links in mails have parameters in their path. */
const isLink = ({ endpoint }: Pick<Found, 'endpoint'>): boolean =>
  endpoint.includes('{key}') || endpoint.includes('{token}')

function commonPrefix(found: readonly Found[]): string | null {
  const counts = new Map<string, number>()
  for (const { endpoint, path } of found) {
    if (!path.endsWith(`/${endpoint}`) || path.includes('{')) continue
    const prefix = path.slice(0, -endpoint.length)
    // Every front end needs the login, so it decides a tie.
    counts.set(prefix, (counts.get(prefix) ?? 0) + (endpoint === 'login/' ? 1.5 : 1))
  }
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a)
  return best?.[0] ?? null
}

/** A key also covers what is below it. */
function isImplied(
  endpoint: string,
  paths: readonly string[],
  all: ReadonlyMap<string, readonly string[]>,
): boolean {
  const covering = [...all.keys()]
    .filter((key) => key !== endpoint && endpoint.startsWith(key))
    .toSorted((a, b) => b.length - a.length)[0]
  if (covering === undefined) return false
  const rest = endpoint.slice(covering.length)
  const implied = (all.get(covering) ?? []).map((path) => `${path}${rest}`)
  return paths.every((path) => implied.includes(path))
}

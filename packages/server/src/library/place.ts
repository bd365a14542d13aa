import type { Service } from '../compose-service.ts'
import type { Paths, Place } from '../core/place.ts'
import { withoutSlash } from '../http/paths.ts'
import type { Settings } from '../settings/settings.ts'
import type { OwnApp } from './build-own-app.ts'

/** Where a host has mounted the service, as the host writes it. */
export type Spot = {
  /** What every path of the service begins with: `/members`, or nothing. */
  readonly base: string
  /** The prefix of the API, after the base. */
  readonly prefix: string
}

/** The place of a service in a host. Only the host decides it, never a request. */
export type HostedPlace = {
  /**
   * Names the place. `find` runs again at the first request, since the parent of a mount can be
   * mounted later. Throws if the service already has another place.
   */
  claim(find: () => Spot): void
  /** The first call settles the place. If no mount has named one, it is `AUTH_PREFIX`. */
  get(): Place
}

/** `resolve` returns the settings with these paths, and refuses paths that do not work. */
export function createHostedPlace(
  settings: Settings,
  resolve: (paths: Partial<Paths>) => Settings,
): HostedPlace {
  const usual: Spot = { base: '', prefix: settings.AUTH_PREFIX }
  let find: (() => Spot) | undefined
  let settled: { spot: Spot; place: Place } | undefined

  const placeAt = (spot: Spot): Place => {
    const paths = isSame(spot, usual) ? {} : pathsAt(spot, settings)
    return { ...resolve(paths), base: spot.base }
  }

  return {
    claim(wanted) {
      const spot = wanted()
      const known = settled?.spot ?? find?.()
      if (known && !isSame(known, spot)) throw new Error(secondPlace(known, spot))
      placeAt(spot)
      find ??= wanted
    },
    get() {
      if (!settled) {
        const spot = find?.() ?? usual
        settled = { spot, place: placeAt(spot) }
      }
      return settled.place
    },
  }
}

const isSame = (one: Spot, other: Spot): boolean =>
  one.base === other.base && withoutSlash(one.prefix) === withoutSlash(other.prefix)

const wholePath = ({ base, prefix }: Spot): string => `${base}${withoutSlash(prefix)}/`

/** Links, pages and OpenAPI follow, since their settings do. */
function pathsAt({ base, prefix }: Spot, { PAGES_PREFIX, ROUTES }: Settings): Partial<Paths> {
  const moved = (path: string) => (path.startsWith('/') ? `${base}${path}` : path)
  return {
    AUTH_PREFIX: `${base}${prefix}`,
    PAGES_PREFIX: `${base}${PAGES_PREFIX}`,
    ROUTES: Object.fromEntries(Object.entries(ROUTES).map(([key, to]) => [key, to.map(moved)])),
  }
}

const secondPlace = (first: Spot, second: Spot): string =>
  `This service is mounted at ${wholePath(first)} already, so it cannot also be mounted at ${wholePath(second)}. Create a second one with createAuth, over the same database.`

export type Elsewhere = ReturnType<typeof createElsewhere>

/** How many segments of a path are tried. */
const PARTS_MAX = 8

/** Warns once if requests come to another place than the host has named, and says what to do. */
export function createElsewhere(
  { log, place }: Pick<Service, 'log' | 'place'>,
  remedyAt: (base: string) => string,
) {
  let isSaid = false

  function note(base: string): void {
    const { AUTH_PREFIX: api } = place()
    // Another spelling is not another place.
    if (isSaid || `${base}/`.toLowerCase() === api.toLowerCase()) return
    isSaid = true
    log.warn(
      { base },
      `A request came to ${base}/, but the service is at ${api}, so the answer is 404. ${remedyAt(base)}`,
    )
  }

  return {
    note,
    /** Warns if the path would be ours at another place. */
    noteIfOurs(url: string, app: OwnApp): void {
      if (isSaid) return
      const [path = ''] = url.split(/[?#]/)
      const parts = path.split('/').slice(0, PARTS_MAX)
      const bases = parts.map((_, count) => parts.slice(0, count + 1).join('/'))
      const base = bases.find((one) => one !== '' && app.isEndpoint(url.slice(one.length + 1)))
      if (base !== undefined) note(base)
    },
  }
}

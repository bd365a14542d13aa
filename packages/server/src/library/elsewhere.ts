import type { Service } from '../compose-service.ts'
import type { OwnApp } from './build-own-app.ts'

export type Elsewhere = ReturnType<typeof createElsewhere>

/** How many parts of a path are tried. */
const PARTS_MAX = 8

/** Tells a host once that requests come from another place than it has named, and what to set. */
export function createElsewhere({ log, place }: Pick<Service, 'log' | 'place'>) {
  let isSaid = false

  function note(base: string): void {
    const { AUTH_PREFIX: api } = place()
    // Another spelling is no other place.
    if (isSaid || `${base}/`.toLowerCase() === api.toLowerCase()) return
    isSaid = true
    log.warn(
      { base },
      `A request came to ${base}/, but the service is at ${api}, so the answer is 404. If the service is mounted there, set AUTH_PREFIX to "${base}/", and PAGES_PREFIX to where the pages are.`,
    )
  }

  return {
    note,
    /** Says so if the path would be one of ours at another place. */
    noteIfOurs(url: string, app: OwnApp): void {
      if (isSaid) return
      const parts = url.split(/[?#]/, 1).join('').split('/').slice(0, PARTS_MAX)
      const bases = parts.map((_, count) => parts.slice(0, count + 1).join('/'))
      const base = bases.find((one) => one !== '' && app.isEndpoint(url.slice(one.length + 1)))
      if (base !== undefined) note(base)
    },
  }
}

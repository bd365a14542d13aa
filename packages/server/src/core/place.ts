import type { Settings } from '../settings/settings.ts'

/** The settings about paths. */
export type Paths = Pick<
  Settings,
  | 'AUTH_PREFIX'
  | 'PAGES_PREFIX'
  | 'ROUTES'
  | 'PASSWORD_RESET_URL'
  | 'EMAIL_CONFIRM_URL'
  | 'EMAIL_CHANGE_URL'
>

/** Where the service is, with every path written out. */
export type Place = Paths & {
  /** What a host has in front of all of our paths, and takes off: `/members`, or nothing. */
  readonly base: string
}

/**
 * A host says where it has put the service when it mounts it, and the features exist by then. So a
 * feature asks when it needs a path, and keeps none.
 */
export type FindPlace = () => Place

/** The settings about paths as a router needs them, after the base. */
export function routingAt({
  base,
  AUTH_PREFIX,
  ROUTES,
}: Place): Pick<Paths, 'AUTH_PREFIX' | 'ROUTES'> {
  const below = (path: string) => (path.startsWith('/') ? path.slice(base.length) : path)
  return {
    AUTH_PREFIX: below(AUTH_PREFIX),
    ROUTES: Object.fromEntries(Object.entries(ROUTES).map(([key, to]) => [key, to.map(below)])),
  }
}

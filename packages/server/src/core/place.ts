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
  | 'INVITATION_URL'
>

/** Where the service is mounted, with all paths complete. */
export type Place = Paths & {
  /** The prefix that a host strips from all of our paths: `/members`, or nothing. */
  readonly base: string
}

/**
 * A host names the place when it mounts the service, after the features were composed. So a feature
 * calls this when it needs a path, and stores none.
 */
export type FindPlace = () => Place

/** The path settings for a router, without the base. */
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

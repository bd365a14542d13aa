import type { Settings } from '../settings/settings.ts'
import type { SettingsInput } from '../settings/settings-input.ts'

/** Where a host has put the service. */
export type Place = {
  /** What every path of the service begins with: `/members`, or nothing. */
  readonly base: string
  /** What the API lies below, after the base. */
  readonly prefix: string
}

export const isSamePlace = (one: Place, other: Place): boolean => pathOf(one) === pathOf(other)

/** Express compares paths without regard to case, so that a client chooses how it writes them. */
const pathOf = ({ base, prefix }: Place): string =>
  `${base} ${prefix.replace(/\/?$/, '/')}`.toLowerCase()

/**
 * The place as settings, so that links, cookies, pages and OpenAPI follow it, and no feature has to
 * know about places.
 */
export function settingsAt(
  { base, prefix }: Place,
  { PAGES_PREFIX, ROUTES }: Settings,
): SettingsInput {
  const moved = (path: string) => (path.startsWith('/') ? `${base}${path}` : path)
  return {
    AUTH_PREFIX: `${base}${prefix}`,
    PAGES_PREFIX: `${base}${PAGES_PREFIX}`,
    ROUTES: Object.fromEntries(Object.entries(ROUTES).map(([key, to]) => [key, to.map(moved)])),
  }
}

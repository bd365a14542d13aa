import { valueAt } from './names.ts'
import type { Rule, SettingName } from './settings.ts'

/** The settings that make up one cookie. */
type Cookie = {
  readonly name: SettingName
  readonly sameSite: SettingName
  readonly secure: SettingName
  readonly domain: SettingName
  readonly path?: SettingName
}

const session = {
  sameSite: 'SESSION_COOKIE_SAMESITE',
  secure: 'SESSION_COOKIE_SECURE',
  domain: 'SESSION_COOKIE_DOMAIN',
} as const

const csrf = {
  sameSite: 'CSRF_COOKIE_SAMESITE',
  secure: 'CSRF_COOKIE_SECURE',
  domain: 'CSRF_COOKIE_DOMAIN',
} as const

/** Shared by the access and the refresh cookie. */
const jwt = {
  sameSite: 'REST_AUTH.JWT_AUTH_SAMESITE',
  secure: 'REST_AUTH.JWT_AUTH_SECURE',
  domain: 'REST_AUTH.JWT_AUTH_COOKIE_DOMAIN',
} as const

const cookies: readonly Cookie[] = [
  { name: 'SESSION_COOKIE_NAME', ...session },
  { name: 'CSRF_COOKIE_NAME', ...csrf },
  { name: 'REST_AUTH.JWT_AUTH_COOKIE', ...jwt },
  {
    name: 'REST_AUTH.JWT_AUTH_REFRESH_COOKIE',
    path: 'REST_AUTH.JWT_AUTH_REFRESH_COOKIE_PATH',
    ...jwt,
  },
]

/**
 * Refuses cookies that browsers would silently drop, and cookies that would overwrite each other.
 */
export const cookieRules: readonly Rule[] = [
  ...[session, csrf, jwt].map(crossSiteNeedsSecure),
  ...cookies.map(prefixIsKept),
  ...cookies.flatMap((cookie, index) =>
    cookies.slice(0, index).map((earlier) => namesDiffer(cookie, earlier)),
  ),
]

function crossSiteNeedsSecure({ sameSite, secure }: Omit<Cookie, 'name'>): Rule {
  return {
    about: [sameSite, secure],
    broken: (settings) => valueAt(settings, sameSite) === 'None' && !valueAt(settings, secure),
    says: `is None; browsers accept that only if ${secure} is true`,
  }
}

function prefixIsKept({ name, secure, domain, path }: Cookie): Rule {
  return {
    about: [name, secure, domain, ...(path ? [path] : [])],
    broken: (settings) => {
      const prefix = /^__(Host|Secure)-/i.exec(String(valueAt(settings, name)))?.[1]?.toLowerCase()
      if (!prefix) return false
      const isWide = valueAt(settings, domain) !== null
      const isDeep = path !== undefined && valueAt(settings, path) !== '/'
      return !valueAt(settings, secure) || (prefix === 'host' && (isWide || isDeep))
    },
    says: `has the prefix __Secure- or __Host-; browsers accept such a cookie only if ${secure} is true, and __Host- only without a domain and with the path /`,
  }
}

function namesDiffer({ name }: Cookie, { name: earlier }: Cookie): Rule {
  return {
    about: [name, earlier],
    broken: (settings) => {
      const [one, other] = [valueAt(settings, name), valueAt(settings, earlier)]
      return one !== null && one === other
    },
    says: `is the same as ${earlier}; every cookie needs its own name`,
  }
}

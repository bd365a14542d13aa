import type { Check } from './finding.ts'
import { CLASSES } from './groups/rest-framework.ts'
import type { Settings } from './settings.ts'

type Deciding = Pick<Settings, 'REST_AUTH' | 'REST_FRAMEWORK' | 'API_KEYS'>

export type AuthenticationClass = (typeof CLASSES)[number]

/**
 * The accepted kinds of credential: the listed ones or, without a list, all that are switched on.
 */
export const authenticationClasses = (settings: Deciding): readonly AuthenticationClass[] =>
  settings.REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES ?? classesOn(settings)

/** The kinds of credential that are switched on. */
export function classesOn({ REST_AUTH, API_KEYS }: Deciding): readonly AuthenticationClass[] {
  const { TOKEN_MODEL, USE_JWT, SESSION_LOGIN } = REST_AUTH
  const isOn = { token: TOKEN_MODEL !== null || API_KEYS, jwt: USE_JWT, session: SESSION_LOGIN }
  return CLASSES.filter((name) => isOn[name])
}

/** Whether a login sets a cookie: a session, or a token in one. */
export function loginSetsCookies({ REST_AUTH }: Pick<Settings, 'REST_AUTH'>): boolean {
  const { SESSION_LOGIN, USE_JWT, JWT_AUTH_COOKIE, JWT_AUTH_REFRESH_COOKIE } = REST_AUTH
  return SESSION_LOGIN || (USE_JWT && (JWT_AUTH_COOKIE ?? JWT_AUTH_REFRESH_COOKIE) !== null)
}

/** Whether a login answers with a key of its own, not with the one that all logins share. */
export const givesKeyPerLogin = ({ REST_AUTH }: Pick<Settings, 'REST_AUTH'>): boolean =>
  REST_AUTH.TOKEN_MODEL !== null && !REST_AUTH.USE_JWT && REST_AUTH.TOKEN_CREATOR === 'per_login'

/** What an operator gets who uses the account of a user: an access token, or a link to the pages. */
export function impersonationWays(settings: Deciding & Pick<Settings, 'MODULES'>) {
  const classes = authenticationClasses(settings)
  return {
    token: classes.includes('jwt'),
    link: classes.includes('session') && settings.MODULES.includes('pages'),
  }
}

/** Logins return a key that no request can use. */
export const REFUSED_KEYS: Check = {
  about: 'REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES',
  says: 'does not name token, so the keys that logins answer with are refused',
  mend: 'add token to the list, or set REST_AUTH.TOKEN_MODEL to none',
  applies: (settings) =>
    settings.REST_AUTH.TOKEN_MODEL !== null &&
    !settings.REST_AUTH.USE_JWT &&
    !authenticationClasses(settings).includes('token'),
}

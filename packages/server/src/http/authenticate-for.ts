import { authenticationClasses } from '../settings/authentication-classes.ts'
import type { Settings } from '../settings/settings.ts'
import { type Authenticate, type Authenticator, createAuthenticate } from './authenticate.ts'
import { setsJwtCookies } from './cookies.ts'
import type { HttpTools } from './tools.ts'

type Needs = {
  settings: Pick<Settings, 'REST_AUTH' | 'REST_FRAMEWORK'>
  authenticators: readonly Authenticator[]
  http: Pick<HttpTools, 'cookies' | 'csrf' | 'origins'>
}

/** Who is asking, as the settings of the service say. */
export function authenticateFor({ settings, authenticators, http }: Needs): Authenticate {
  const { SESSION_LOGIN, USE_JWT, JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED } =
    settings.REST_AUTH
  return createAuthenticate({
    authenticators,
    classes: authenticationClasses(settings),
    isOrdered: settings.REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES !== null,
    csrf: http.csrf,
    origins: http.origins,
    loginSetsCookies: SESSION_LOGIN || setsJwtCookies(http.cookies),
    enforcesCsrf: USE_JWT && JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED,
  })
}

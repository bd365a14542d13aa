import { passwordHasherNames } from '../../crypto/password-hash/password-hasher.ts'
import { DAY, HOUR } from '../../kernel/clock.ts'
import { origin } from '../../kernel/setting-kinds/addresses.ts'
import { list, optional, secret } from '../../kernel/setting-kinds/compounds.ts'
import { kind } from '../../kernel/setting-kinds/kind.ts'
import { flag, matching } from '../../kernel/setting-kinds/scalars.ts'
import { duration } from '../../kernel/setting-kinds/times.ts'
import { cookieDomain, cookieName, sameSite } from '../kinds/cookies.ts'
import { passwordHashers } from '../kinds/password-hashers.ts'
import { onWithHttps, setting } from '../setting.ts'

const SHORTEST_KEY = 32

const secretKey = secret(
  kind(`at least ${SHORTEST_KEY} characters, such as "openssl rand -hex 32" prints`, (input) =>
    typeof input === 'string' && input.length >= SHORTEST_KEY ? input : undefined,
  ),
)

const headerName = matching(
  'the name of a header, such as X-Client-Version',
  /^[\w!#$%&'*+.^`|~-]+$/,
)

export const security = {
  SECRET_KEY: setting(
    optional(secretKey),
    null,
    'Seals and signs everything. Made and kept beside the embedded database when none; PostgreSQL needs one.',
  ),
  SECRET_KEY_FALLBACKS: setting(
    list(secretKey),
    [],
    'Former secret keys, which still open what they sealed.',
  ),
  PASSWORD_HASHERS: setting(
    passwordHashers,
    passwordHasherNames,
    'The password hashes that are accepted; the first one is used for new passwords.',
  ),
  PASSWORD_RESET_TIMEOUT: setting(duration(), HOUR, 'How long a password reset link is good.'),
  MFA_ALLOW_UNVERIFIED_EMAIL: setting(
    flag,
    false,
    'Let users add a second factor, passkeys and social accounts before their address is verified.',
  ),
  CSRF_TRUSTED_ORIGINS: setting(
    list(origin),
    [],
    'Other origins whose pages may send requests that a cookie authenticates.',
  ),
  CORS_ALLOWED_ORIGINS: setting(
    list(origin),
    [],
    'Origins whose pages may call the service and read its answers; trusted for CSRF as well.',
  ),
  CORS_ALLOW_HEADERS: setting(
    list(headerName),
    [],
    'Headers that those pages may send besides the usual ones.',
  ),
  SESSION_COOKIE_NAME: setting(cookieName, 'sessionid', 'Name of the session cookie.'),
  SESSION_COOKIE_AGE: setting(duration(), 14 * DAY, 'How long a session lasts.'),
  SESSION_COOKIE_SAMESITE: setting(sameSite, 'Lax', 'SameSite attribute of the session cookie.'),
  SESSION_COOKIE_SECURE: onWithHttps('Send the session cookie over https only.'),
  SESSION_COOKIE_DOMAIN: setting(optional(cookieDomain), null, 'Domain of the session cookie.'),
  CSRF_COOKIE_NAME: setting(cookieName, 'csrftoken', 'Name of the CSRF cookie.'),
  CSRF_COOKIE_AGE: setting(duration(), 365 * DAY, 'How long the CSRF cookie lasts.'),
  CSRF_COOKIE_SAMESITE: setting(sameSite, 'Lax', 'SameSite attribute of the CSRF cookie.'),
  CSRF_COOKIE_SECURE: onWithHttps('Send the CSRF cookie over https only.'),
  CSRF_COOKIE_DOMAIN: setting(optional(cookieDomain), null, 'Domain of the CSRF cookie.'),
}

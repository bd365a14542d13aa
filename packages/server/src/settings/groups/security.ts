import { passwordHasherNames } from '../../crypto/password-hash/password-hasher.ts'
import { DAY, HOUR } from '../../kernel/clock.ts'
import { list, optional, secret, secretText } from '../../kernel/setting-kinds/compounds.ts'
import { type Kind, kind, read, textual } from '../../kernel/setting-kinds/kind.ts'
import {
  choice,
  flag,
  integer,
  matching,
  origin,
  text,
} from '../../kernel/setting-kinds/scalars.ts'
import { duration } from '../../kernel/setting-kinds/times.ts'
import { isTimeZone } from '../../kernel/wall-clock.ts'
import { databaseUrl } from '../kinds/connection-urls.ts'
import { cookieDomain, cookieName, sameSite } from '../kinds/cookies.ts'
import { passwordHashers } from '../kinds/password-hashers.ts'
import { onWithHttps, setting } from '../setting.ts'

const SHORTEST_KEY = 32

export const secretKey = secret(
  kind(
    `at least ${SHORTEST_KEY} characters, such as the output of "openssl rand -hex 32"`,
    (input) => (typeof input === 'string' && input.length >= SHORTEST_KEY ? input : undefined),
  ),
)

const headerName = matching(
  'the name of a header, such as X-Client-Version',
  /^[\w!#$%&'*+.^`|~-]+$/,
)

/** `user:` is for scopes of the service itself. */
const keyScope = matching(
  'a scope of at most 64 lower-case characters with a colon, such as orders:read, but not user:…',
  /^(?!user:)(?=.{1,64}$)[a-z][a-z0-9_.-]*(?::[a-z0-9_.-]+)+$/,
)

const requiredFor: Kind<'all' | readonly string[], 'all' | readonly string[]> = kind(
  'all, or a list of groups',
  (input) => read(choice(['all']), input) ?? read(list(text, { least: 1 }), input),
)

const timeZone = textual('a time zone, such as Europe/Berlin', (input) =>
  isTimeZone(input) ? input : undefined,
)

export const security = {
  SECRET_KEY: setting(
    optional(secretKey),
    null,
    'The key that seals and signs data. PostgreSQL requires it. With SQLite, if you set none, the first start generates one and stores it next to the database.',
  ),
  AUDIT_KEEP_DAYS: setting(
    integer(1, 36_500),
    365,
    'How many days the audit keeps its rows: what happened to accounts, and what operators did.',
  ),
  SECRET_KEY_FALLBACKS: setting(
    list(secretKey),
    [],
    'Former secret keys. What they sealed can still be read.',
  ),
  INTROSPECTION_KEY: setting(
    optional(secretKey),
    null,
    'The key that other services send to `introspect/` to ask whose credential they received. Without it the endpoint does not exist. See docs/other-services.md.',
  ),
  DJANGO_DATABASE_URL: setting(
    optional(databaseUrl),
    null,
    'The database of a Django project, for `import django` and `export django`. Set it in the environment or in the config file: every user of the machine can see a password on the command line.',
  ),
  DJANGO_SECRET_KEY: setting(
    optional(secretText),
    null,
    'The `SECRET_KEY` of the Django project that users come from. With it, the reset links, e-mail keys and CSRF cookies of that project stay valid. Remove it when the last of them has expired.',
  ),
  DJANGO_SECRET_KEY_FALLBACKS: setting(
    list(secretText),
    [],
    'The `SECRET_KEY_FALLBACKS` of the Django project.',
  ),
  DJANGO_PASSWORD_RESET_TIMEOUT: setting(
    duration(),
    3 * DAY,
    'The `PASSWORD_RESET_TIMEOUT` of the Django project, for the links that it mailed. If `PASSWORD_RESET_TIMEOUT` is longer, that applies to them instead.',
  ),
  DJANGO_TIME_ZONE: setting(
    timeZone,
    'UTC',
    'The `TIME_ZONE` of the Django project, which the age of its reset links depends on.',
  ),
  MFA_REQUIRED: setting(
    optional(requiredFor),
    null,
    'Who must have a second factor: `all`, or the users of a list of groups. Until they have set one up, they can do nothing else. See docs/mfa.md.',
  ),
  MFA_GRACE_DAYS: setting(
    integer(0, 3650),
    0,
    'How many days users have to set up a required second factor, from their first login or request under the rule.',
  ),
  TOKEN_LIFETIME: setting(
    optional(duration()),
    null,
    'How long a token key is valid after it was made. Without it, keys do not expire.',
  ),
  API_KEYS: setting(
    flag,
    false,
    'Let users make keys for programs at `tokens/`, with a name, scopes and an expiry date. See docs/credentials.md.',
  ),
  API_KEY_SCOPES: setting(
    list(keyScope),
    [],
    'Scopes of your own API that users can give to a key for programs, such as `orders:read`. The service tells them to your API, which enforces them.',
  ),
  PASSWORD_HASHERS: setting(
    passwordHashers,
    passwordHasherNames,
    'The password hashes that are accepted, in the form of Django or as PHC strings. The first one is used for new passwords.',
  ),
  PASSWORD_RESET_TIMEOUT: setting(duration(), HOUR, 'How long a password reset link is valid.'),
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
    'Origins whose pages may call the service and read its answers. They are also trusted for CSRF.',
  ),
  CORS_ALLOW_HEADERS: setting(
    list(headerName),
    [],
    'Further request headers that pages of `CORS_ALLOWED_ORIGINS` may send.',
  ),
  SESSION_COOKIE_NAME: setting(cookieName, 'sessionid', 'The name of the session cookie.'),
  SESSION_COOKIE_AGE: setting(duration(), 14 * DAY, 'How long a session lasts.'),
  SESSION_COOKIE_SAMESITE: setting(
    sameSite,
    'Lax',
    'The SameSite attribute of the session cookie.',
  ),
  SESSION_COOKIE_SECURE: onWithHttps('Send the session cookie over https only.'),
  SESSION_COOKIE_DOMAIN: setting(
    optional(cookieDomain),
    null,
    'The domain of the session cookie. Without it the cookie belongs to the host of the service only.',
  ),
  CSRF_COOKIE_NAME: setting(cookieName, 'csrftoken', 'The name of the CSRF cookie.'),
  CSRF_COOKIE_AGE: setting(duration(), 365 * DAY, 'How long the CSRF cookie lasts.'),
  CSRF_COOKIE_SAMESITE: setting(sameSite, 'Lax', 'The SameSite attribute of the CSRF cookie.'),
  CSRF_COOKIE_SECURE: onWithHttps('Send the CSRF cookie over https only.'),
  CSRF_COOKIE_DOMAIN: setting(
    optional(cookieDomain),
    null,
    'The domain of the CSRF cookie. Without it the cookie belongs to the host of the service only.',
  ),
}

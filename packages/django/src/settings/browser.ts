import {
  asItIs,
  carried,
  carriedPart,
  each,
  lasting,
  type Mapping,
  namesIn,
  needless,
  onlyAs,
  sameSite,
  whenOn,
} from './mapping.ts'
import { toList } from './python-values.ts'

/** Headers that every preflight allows. corsheaders lists them by default, too. */
const USUAL_HEADERS = namesIn(`
  accept accept-encoding accept-language authorization cache-control content-type dnt origin pragma
  x-csrftoken x-requested-with
`)

/** Cookies, CSRF and CORS. */
export const browser: readonly Mapping[] = [
  ...['SESSION', 'CSRF'].flatMap((cookie) => [
    ...asItIs(...['NAME', 'DOMAIN', 'SECURE'].map((key) => `${cookie}_COOKIE_${key}`)),
    sameSite(`${cookie}_COOKIE_SAMESITE`),
    lasting(`${cookie}_COOKIE_AGE`),
    onlyAs(`${cookie}_COOKIE_PATH`, ['/'], 'the path of the cookie is always /'),
  ]),
  origins('CSRF_TRUSTED_ORIGINS'),
  origins('CORS_ALLOWED_ORIGINS'),
  whenOn(
    'CORS_ALLOW_ALL_ORIGINS',
    'list the origins of your front ends in CORS_ALLOWED_ORIGINS; pages of others must not read answers',
  ),
  whenOn(
    'CORS_ALLOWED_ORIGIN_REGEXES',
    'list the origins of your front ends in CORS_ALLOWED_ORIGINS; patterns are not accepted',
  ),
  each('CORS_ALLOW_HEADERS', (value) => {
    const more = toList(value).filter((one) => !USUAL_HEADERS.includes(String(one).toLowerCase()))
    return more.length > 0 ? [carried('CORS_ALLOW_HEADERS', more)] : []
  }),
  onlyAs('SESSION_COOKIE_HTTPONLY', [true], 'scripts can never read the session cookie'),
  whenOn(
    'SESSION_EXPIRE_AT_BROWSER_CLOSE',
    'a session lasts SESSION_COOKIE_AGE, even if the browser is closed',
  ),
  whenOn(
    'SESSION_SAVE_EVERY_REQUEST',
    'a session ends SESSION_COOKIE_AGE after its login, even if it is in use',
  ),
  whenOn(
    'CSRF_COOKIE_HTTPONLY',
    'scripts can read the CSRF cookie; "GET csrf/" answers with the token, too',
  ),
  whenOn('CSRF_USE_SESSIONS', 'the CSRF token is in its cookie; "GET csrf/" answers with it, too'),
  onlyAs('CSRF_HEADER_NAME', ['HTTP_X_CSRFTOKEN'], 'the header for the CSRF token is X-CSRFToken'),
  needless(`
    CORS_ALLOW_CREDENTIALS CORS_ALLOW_METHODS CORS_URLS_REGEX CORS_EXPOSE_HEADERS
    CORS_PREFLIGHT_MAX_AGE CORS_ALLOW_PRIVATE_NETWORK CORS_REPLACE_HTTPS_REFERER CSRF_FAILURE_VIEW
    CSRF_COOKIE_MASKED SESSION_ENGINE SESSION_SERIALIZER SESSION_CACHE_ALIAS SESSION_FILE_PATH
  `),
]

function origins(name: string): Mapping {
  return each(name, (value) => {
    // Many projects write a slash after an origin.
    const given = toList(value).map((one) => String(one).replace(/\/$/, ''))
    // Before Django 4 and corsheaders 3 an entry was a host without its scheme.
    const isPlain = (one: string) => /^[a-z][a-z0-9+.-]*:\/\/[^*]+$/i.test(one)
    return carriedPart(
      name,
      given,
      isPlain,
      'entries with a wildcard or without a scheme are left out; list each origin, such as https://app.example.com',
    )
  })
}

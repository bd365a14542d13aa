import { isObject } from '../../kernel/json-object.ts'
import { type Dump, each, isOff, isOn, type Mapped, type Mapping, note, unless } from './mapping.ts'
import { toList } from './python-values.ts'

const RATES = 'REST_FRAMEWORK.DEFAULT_THROTTLE_RATES'
const CLASSES = 'REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES'

/** dj-rest-auth's scope has the name of its package. */
const SCOPES = ['auth_service', 'dj_rest_auth']

const AUTHENTICATION: ReadonlyMap<string, 'token' | 'jwt' | 'session'> = new Map([
  ['rest_framework.authentication.TokenAuthentication', 'token'],
  ['rest_framework.authentication.SessionAuthentication', 'session'],
  ['dj_rest_auth.jwt_auth.JWTCookieAuthentication', 'jwt'],
  ['dj_rest_auth.utils.JWTCookieAuthentication', 'jwt'],
  ['rest_framework_simplejwt.authentication.JWTAuthentication', 'jwt'],
  ['rest_framework_simplejwt.authentication.JWTStatelessUserAuthentication', 'jwt'],
  ['rest_framework_simplejwt.authentication.JWTTokenUserAuthentication', 'jwt'],
])

/** A project may name a class although its logins never give such a credential. */
function isInForce(name: 'token' | 'jwt' | 'session', dump: Dump): boolean {
  if (name === 'jwt') return isOn(dump.get('REST_AUTH.USE_JWT'))
  const setting = name === 'token' ? 'REST_AUTH.TOKEN_MODEL' : 'REST_AUTH.SESSION_LOGIN'
  return !dump.has(setting) || !isOff(dump.get(setting))
}

/** Only those settings of Django REST framework that affect the endpoints of accounts. */
export const restFramework: readonly Mapping[] = [
  each(RATES, (value) => {
    const rates = isObject(value) ? value : {}
    const scope = SCOPES.find((name) => !isOff(rates[name] ?? null))
    const others = ['anon', 'user'].filter((name) => !isOff(rates[name] ?? null))
    return [
      ...(scope ? [{ setting: RATES, value: { auth_service: rates[scope] }, about: RATES }] : []),
      ...others.map((name) =>
        note(
          `${RATES}.${name}`,
          'counts requests to your whole API; here auth_service counts only requests to the endpoints of accounts',
        ),
      ),
    ]
  }),
  each('REST_FRAMEWORK.NUM_PROXIES', (value) => {
    const about = 'REST_FRAMEWORK.NUM_PROXIES'
    return value === null ? [] : [{ setting: about, value, about }]
  }),
  each(CLASSES, (value, dump) => {
    const classes = toList(value).map(String)
    const known = classes.flatMap((one) => AUTHENTICATION.get(one) ?? [])
    const inForce = [...new Set(known)].filter((name) => isInForce(name, dump))
    return [
      ...(inForce.length > 0 ? [{ setting: CLASSES, value: inForce, about: CLASSES }] : []),
      ...(known.length < classes.length ? [otherClasses] : []),
    ]
  }),
  each('REST_FRAMEWORK.NON_FIELD_ERRORS_KEY', (value) => {
    const about = 'REST_FRAMEWORK.NON_FIELD_ERRORS_KEY'
    return value === 'non_field_errors' ? [] : [{ setting: about, value, about }]
  }),
  unless(
    'REST_FRAMEWORK.EXCEPTION_HANDLER',
    (path) => String(path).startsWith('rest_framework.'),
    'your own code is not carried over; REST_FRAMEWORK.ERRORS_UNDER puts errors under a key, and REST_FRAMEWORK.NON_FIELD_ERRORS_KEY names the key for errors without a field',
  ),
  unless(
    'REST_FRAMEWORK.DATETIME_FORMAT',
    (value) => isOff(value) || /^iso-8601$/i.test(String(value)),
    'times are in ISO 8601 and UTC, such as 2030-01-01T12:00:00.000Z; let the front end format them',
  ),
  unless(
    'REST_FRAMEWORK.DEFAULT_RENDERER_CLASSES',
    (value) => !/camel/i.test(toList(value).join()),
    'names in answers are snake_case; let the front end translate them',
  ),
]

const otherClasses: Mapped = note(
  CLASSES,
  'only tokens, JSON Web Tokens and sessions authenticate; Basic and your own classes are left out',
)

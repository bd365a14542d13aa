import { isObject } from '../../kernel/json-object.ts'
import {
  type Dump,
  each,
  isOff,
  isOn,
  type Mapping,
  note,
  type Outcome,
  unless,
} from './mapping.ts'
import { toList } from './python-values.ts'

const RATES = 'REST_FRAMEWORK.DEFAULT_THROTTLE_RATES'
const CLASSES = 'REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES'

/** The scope of the original is called by its package. */
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

/** A project may name more classes than its logins give credentials for. */
function isInForce(name: 'token' | 'jwt' | 'session', dump: Dump): boolean {
  if (name === 'jwt') return isOn(dump.get('REST_AUTH.USE_JWT'))
  const setting = name === 'token' ? 'REST_AUTH.TOKEN_MODEL' : 'REST_AUTH.SESSION_LOGIN'
  return !dump.has(setting) || !isOff(dump.get(setting))
}

/** Of Django REST framework only what reaches the endpoints of accounts; the rest is the project's. */
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
          'counts requests to your whole API there; here auth_service counts those to the endpoints of accounts',
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
    'code of your own is not carried over; REST_FRAMEWORK.ERRORS_UNDER puts errors under a key, and REST_FRAMEWORK.NON_FIELD_ERRORS_KEY names those of no field',
  ),
  unless(
    'REST_FRAMEWORK.DEFAULT_RENDERER_CLASSES',
    (value) => !/camel/i.test(toList(value).join()),
    'answers have their names in snake_case; let the front end translate them',
  ),
]

const otherClasses: Outcome = note(
  CLASSES,
  'tokens, JSON Web Tokens and sessions authenticate; Basic and classes of your own do not',
)

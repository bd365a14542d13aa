import { isObject } from '../../../server/src/kernel/json-object.ts'
import { REFUSED_KEYS } from '../../../server/src/settings/authentication-classes.ts'
import {
  carried,
  type Dump,
  each,
  isOff,
  isOn,
  type Mapping,
  note,
  noteIf,
  ownCode,
  unless,
  unlessUsual,
} from './mapping.ts'
import { toList } from './python-values.ts'

const RATES = 'REST_FRAMEWORK.DEFAULT_THROTTLE_RATES'
const CLASSES = 'REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES'

/** dj-rest-auth's scope has the name of its package. */
const SCOPES = ['auth_service', 'dj_rest_auth']

type Kind = 'token' | 'jwt' | 'session'

const AUTHENTICATION: ReadonlyMap<string, Kind> = new Map([
  ['rest_framework.authentication.TokenAuthentication', 'token'],
  ['rest_framework.authentication.SessionAuthentication', 'session'],
  ['dj_rest_auth.jwt_auth.JWTCookieAuthentication', 'jwt'],
  ['dj_rest_auth.utils.JWTCookieAuthentication', 'jwt'],
  ['rest_framework_simplejwt.authentication.JWTAuthentication', 'jwt'],
  ['rest_framework_simplejwt.authentication.JWTStatelessUserAuthentication', 'jwt'],
  ['rest_framework_simplejwt.authentication.JWTTokenUserAuthentication', 'jwt'],
  ['rest_framework_jwt.authentication.JSONWebTokenAuthentication', 'jwt'],
])

/** What the project's own class reads, judging by its name. */
function kindOfOwn(path: string): Kind | null {
  const name = path.split('.').at(-1) ?? ''
  if (/jwt|jsonwebtoken/i.test(name)) return 'jwt'
  if (/token/i.test(name)) return 'token'
  return /session/i.test(name) ? 'session' : null
}

/** A project may list a class although its logins never issue such a credential. */
function isInForce(name: Kind, dump: Dump): boolean {
  if (name === 'jwt') return isOn(dump.get('REST_AUTH.USE_JWT'))
  const setting = name === 'token' ? 'REST_AUTH.TOKEN_MODEL' : 'REST_AUTH.SESSION_LOGIN'
  return !dump.has(setting) || !isOff(dump.get(setting))
}

/** Only the settings of Django REST framework that affect our endpoints. */
export const restFramework: readonly Mapping[] = [
  each(RATES, (value) => {
    const rates = isObject(value) ? value : {}
    const scope = SCOPES.find((name) => !isOff(rates[name] ?? null))
    const others = ['anon', 'user'].filter((name) => !isOff(rates[name] ?? null))
    return [
      ...(scope ? [carried(RATES, { auth_service: rates[scope] })] : []),
      ...others.map((name) =>
        note(
          `${RATES}.${name}`,
          'counts requests to your whole API; here auth_service counts only requests to the endpoints of accounts',
        ),
      ),
    ]
  }),
  unlessUsual('REST_FRAMEWORK.NUM_PROXIES', null),
  each(CLASSES, (value, dump) => {
    const classes = toList(value).map(String)
    const own = classes.filter((one) => !AUTHENTICATION.has(one))
    const read = classes.flatMap((one) => AUTHENTICATION.get(one) ?? kindOfOwn(one) ?? [])
    const inForce = [...new Set(read)].filter((name) => isInForce(name, dump))
    const likened = own.filter((one) => kindOfOwn(one) !== null)
    return [
      ...(inForce.length > 0 ? [carried(CLASSES, inForce)] : []),
      ...likened.map((one) =>
        note(
          CLASSES,
          `${one} is treated as ${kindOfOwn(one)}; what else it does is not carried over`,
        ),
      ),
      ...noteIf(
        likened.length < own.length,
        CLASSES,
        'only tokens, JSON Web Tokens and sessions authenticate; Basic and your own classes are left out',
      ),
      // The start and `check` say so, too.
      ...noteIf(
        inForce.length > 0 && refusesKeys(inForce, dump),
        CLASSES,
        `${REFUSED_KEYS.says}; ${REFUSED_KEYS.mend}`,
      ),
    ]
  }),
  unlessUsual('REST_FRAMEWORK.NON_FIELD_ERRORS_KEY', 'non_field_errors'),
  ownCode(
    'REST_FRAMEWORK.EXCEPTION_HANDLER',
    /^rest_framework\./,
    'REST_FRAMEWORK.ERRORS_UNDER puts errors under a key, and REST_FRAMEWORK.NON_FIELD_ERRORS_KEY names the key for errors without a field',
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

/** As in Django. */
const refusesKeys = (inForce: readonly Kind[], dump: Dump): boolean =>
  !inForce.includes('token') && isInForce('token', dump) && !isOn(dump.get('REST_AUTH.USE_JWT'))

import { isObject } from '../../../server/src/kernel/json-object.ts'
import { passwordHashers } from '../../../server/src/settings/kinds/password-hashers.ts'
import { factsOf } from './facts.ts'
import {
  carried,
  carriedPart,
  type Dump,
  each,
  isOff,
  isOn,
  type Mapped,
  type Mapping,
  note,
  onlyAs,
  onto,
  unless,
  whenOn,
} from './mapping.ts'
import { inOurUnits, toList } from './python-values.ts'

const VALIDATORS = 'django.contrib.auth.password_validation.'

const OWN_VALIDATORS =
  "Django's four rules hold for every new password, with at least 8 characters; other rules and lengths are not carried over"

const OWN_KEY =
  'give Latchkey its own key before the first start, such as the output of "openssl rand -hex 32"; with SIMPLE_JWT.SIGNING_KEY and DJANGO_SECRET_KEY, everything that the project has signed stays valid'

export const security: readonly Mapping[] = [
  each('SECRET_KEY', (value, dump) => {
    const about = 'SECRET_KEY'
    const signs = isOn(dump.get('REST_AUTH.USE_JWT')) && isSharedKey(dump)
    return [
      carried(about, value),
      carried(about, value, 'DJANGO_SECRET_KEY'),
      ...(signs ? [carried(about, value, 'SIMPLE_JWT.SIGNING_KEY')] : []),
      note(about, OWN_KEY),
    ]
  }),
  each('SECRET_KEY_FALLBACKS', (value) => {
    const about = 'SECRET_KEY_FALLBACKS'
    const fallbacks = toList(value)
    return [carried(about, fallbacks), carried(about, fallbacks, 'DJANGO_SECRET_KEY_FALLBACKS')]
  }),
  onto('TIME_ZONE', 'DJANGO_TIME_ZONE'),
  each('PASSWORD_HASHERS', (value) =>
    carriedPart(
      'PASSWORD_HASHERS',
      toList(value),
      (one) => 'value' in passwordHashers.parse([one]),
      'some are unknown here; users with such a hash must reset their password to log in',
    ),
  ),
  {
    from: ['PASSWORD_RESET_TIMEOUT', 'PASSWORD_RESET_TIMEOUT_DAYS'],
    carry(dump) {
      const days = dump.get('PASSWORD_RESET_TIMEOUT_DAYS')
      const seconds = dump.get('PASSWORD_RESET_TIMEOUT') ?? (days && Number(days) * 86_400)
      const value = inOurUnits(seconds)
      const about = 'PASSWORD_RESET_TIMEOUT'
      if (value === undefined) return []
      return [carried(about, value), carried(about, value, 'DJANGO_PASSWORD_RESET_TIMEOUT')]
    },
  },
  onlyAs(
    'AUTH_USER_MODEL',
    ['auth.User'],
    'a user has a username, an address, a first and a last name; declare the other fields of your model in USER_FIELDS',
  ),
  { from: [], carry: keysOfUsers },
  unless('AUTH_PASSWORD_VALIDATORS', (value) => toList(value).every(isUsual), OWN_VALIDATORS),
  unless(
    'AUTHENTICATION_BACKENDS',
    (value) => toList(value).every((path) => /^(?:django|allauth)\./.test(String(path))),
    "passwords are checked against Latchkey's own database; other backends, such as LDAP, are not carried over",
  ),
  whenOn(
    'SECURE_PROXY_SSL_HEADER',
    'set PUBLIC_URL to an https:// address, and REST_FRAMEWORK.NUM_PROXIES to the number of proxies',
  ),
  whenOn('ALLAUTH_TRUSTED_PROXY_COUNT', 'set REST_FRAMEWORK.NUM_PROXIES to the number of proxies'),
  whenOn('DATABASES', 'Latchkey has its own database; set it with DATABASE_URL'),
]

/** The type of the primary key, which only the user model tells. */
function keysOfUsers(dump: Dump): readonly Mapped[] {
  const { user } = factsOf(dump)
  if (user === null || /^\w*(?:Auto|Integer)Field$/.test(user.pk)) return []
  const about = 'USER_PK'
  return user.pk === 'UUIDField'
    ? [carried(about, 'uuid')]
    : [
        note(
          about,
          `the primary key of the project's users is a ${user.pk}; here it is a number or a UUID`,
        ),
      ]
}

/** Whether the secret key of the project signs its tokens. */
const isSharedKey = (dump: Dump): boolean =>
  isOff(dump.get('SIMPLE_JWT.SIGNING_KEY') ?? null) &&
  String(dump.get('SIMPLE_JWT.ALGORITHM') ?? 'HS256').startsWith('HS')

function isUsual(validator: unknown): boolean {
  if (!isObject(validator) || !String(validator.NAME).startsWith(VALIDATORS)) return false
  const { min_length: length = 8 } = isObject(validator.OPTIONS) ? validator.OPTIONS : {}
  return isOff(validator.OPTIONS ?? null) || Number(length) === 8
}

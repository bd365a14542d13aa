import {
  carried,
  type Dump,
  ifSet,
  isOff,
  isOn,
  lasting,
  type Mapped,
  type Mapping,
  namesIn,
  note,
  onlyAs,
  onto,
  ownCode,
  whenOn,
} from './mapping.ts'
import { toList } from './python-values.ts'

const KEYS = ['SECRET_KEY', 'PRIVATE_KEY', 'PUBLIC_KEY'].map((key) => `JWT_AUTH.JWT_${key}`)
const PREFIX = 'JWT_AUTH.JWT_AUTH_HEADER_PREFIX'

/** Code of djangorestframework-jwt that projects can replace. */
const HANDLERS = namesIn(`
  ENCODE_HANDLER DECODE_HANDLER PAYLOAD_HANDLER PAYLOAD_GET_USER_ID_HANDLER
  PAYLOAD_GET_USERNAME_HANDLER RESPONSE_PAYLOAD_HANDLER GET_USER_SECRET_KEY
`)

/**
 * The predecessor of simplejwt. It has only one kind of token, which renews itself, and another word
 * in the header.
 */
export const drfJwt: readonly Mapping[] = [
  ...[
    lasting('JWT_AUTH.JWT_EXPIRATION_DELTA', 'SIMPLE_JWT.ACCESS_TOKEN_LIFETIME'),
    lasting('JWT_AUTH.JWT_REFRESH_EXPIRATION_DELTA', 'SIMPLE_JWT.REFRESH_TOKEN_LIFETIME'),
    lasting('JWT_AUTH.JWT_LEEWAY', 'SIMPLE_JWT.LEEWAY'),
    onto('JWT_AUTH.JWT_ALGORITHM', 'SIMPLE_JWT.ALGORITHM'),
    ifSet('JWT_AUTH.JWT_AUDIENCE', 'SIMPLE_JWT.AUDIENCE'),
    ifSet('JWT_AUTH.JWT_ISSUER', 'SIMPLE_JWT.ISSUER'),
    ifSet('JWT_AUTH.JWT_AUTH_COOKIE', 'REST_AUTH.JWT_AUTH_COOKIE'),
    { from: KEYS, carry: keys },
    { from: [PREFIX], carry: wordAndName },
    onlyAs('JWT_AUTH.JWT_VERIFY', [true], 'the signature of a token is always checked'),
    onlyAs('JWT_AUTH.JWT_VERIFY_EXPIRATION', [true], 'a token always expires'),
    whenOn(
      'JWT_AUTH.JWT_ALLOW_REFRESH',
      'a token is renewed with the refresh token of the login answer, at token/refresh/',
    ),
    ...HANDLERS.map((key) =>
      ownCode(
        `JWT_AUTH.JWT_${key}`,
        /^rest_framework_jwt\./,
        'REST_AUTH.ANSWER_NAMES names the values of login answers, and SIMPLE_JWT.CLAIMS adds claims',
      ),
    ),
  ].map(ifInUse),
  {
    from: ['JWT_AUTH'],
    carry: (dump) =>
      hasAny(dump, 'JWT_AUTH.JWT_') && !isInUse(dump)
        ? [note('JWT_AUTH', 'is ignored, because SIMPLE_JWT replaces it')]
        : [],
  },
]

/** Whether logins of the project answer with tokens of that library. */
export const isOfDrfJwt = (dump: Dump): boolean =>
  isOn(dump.get('REST_AUTH.USE_JWT')) &&
  (isOfPredecessor(dump) || (hasAny(dump, 'JWT_AUTH.JWT_') && isInUse(dump)))

const isOfPredecessor = (dump: Dump): boolean =>
  toList(dump.get('INSTALLED_APPS')).includes('rest_auth')

const isInUse = (dump: Dump): boolean => isOfPredecessor(dump) || !hasAny(dump, 'SIMPLE_JWT.')

const hasAny = (dump: Dump, prefix: string): boolean =>
  [...dump.keys()].some((name) => name.startsWith(prefix))

function ifInUse({ from, carry }: Mapping): Mapping {
  return { from, carry: (dump) => (isInUse(dump) ? carry(dump) : []) }
}

/** Without a key of its own, the secret key of the project has signed the tokens. */
function keys(dump: Dump): readonly Mapped[] {
  const [secret, signing, verifying] = KEYS.map((name) => dump.get(name) ?? null)
  const isShared = String(dump.get('JWT_AUTH.JWT_ALGORITHM') ?? 'HS256').startsWith('HS')
  const about = isShared ? 'JWT_AUTH.JWT_SECRET_KEY' : 'JWT_AUTH.JWT_PRIVATE_KEY'
  if (isShared) {
    return isOff(secret) ? [] : [carried(about, secret, 'SIMPLE_JWT.SIGNING_KEY')]
  }
  // A key may be a Python object. Then the dump contains only its name.
  const isPem = (key: unknown) => String(key).includes('-----BEGIN ')
  return [
    isPem(signing)
      ? carried(about, signing, 'SIMPLE_JWT.SIGNING_KEY')
      : note(
          about,
          'cannot be read; set SIMPLE_JWT.SIGNING_KEY to the private key, or to its file',
        ),
    ...(isPem(verifying) ? [carried(about, verifying, 'SIMPLE_JWT.VERIFYING_KEY')] : []),
  ]
}

function wordAndName(dump: Dump): readonly Mapped[] {
  if (!isOfDrfJwt(dump)) return []
  return [
    carried(PREFIX, [dump.get(PREFIX) ?? 'JWT'], 'SIMPLE_JWT.AUTH_HEADER_TYPES'),
    carried(PREFIX, { access: ['token', 'access'] }, 'REST_AUTH.ANSWER_NAMES'),
    note(
      'JWT_AUTH',
      'tokens of djangorestframework-jwt are refused, because they do not say of which kind they are; users must log in again',
    ),
  ]
}

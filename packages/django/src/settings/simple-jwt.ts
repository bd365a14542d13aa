import {
  asItIs,
  carried,
  each,
  ifSet,
  isOff,
  isOn,
  lasting,
  type Mapping,
  needless,
  note,
  onlyAs,
  ownCode,
  unless,
  unlessUsual,
  whenOn,
} from './mapping.ts'
import { toList } from './python-values.ts'

const ACCESS_TOKEN = 'rest_framework_simplejwt.tokens.AccessToken'

const PACKAGE = /^rest_framework_simplejwt\./

const BLACKLIST = 'rest_framework_simplejwt.token_blacklist'

export const simpleJwt: readonly Mapping[] = [
  lasting('SIMPLE_JWT.ACCESS_TOKEN_LIFETIME'),
  lasting('SIMPLE_JWT.REFRESH_TOKEN_LIFETIME'),
  lasting('SIMPLE_JWT.LEEWAY'),
  ...asItIs('SIMPLE_JWT.ROTATE_REFRESH_TOKENS', 'SIMPLE_JWT.ALGORITHM'),
  ifSet('SIMPLE_JWT.ISSUER'),
  ifSet('SIMPLE_JWT.AUDIENCE'),
  each('SIMPLE_JWT.BLACKLIST_AFTER_ROTATION', (value, dump) => {
    const about = 'SIMPLE_JWT.BLACKLIST_AFTER_ROTATION'
    const isInstalled = toList(dump.get('INSTALLED_APPS') ?? BLACKLIST).includes(BLACKLIST)
    if (isInstalled || !isOn(value)) return [carried(about, value)]
    return [
      note(
        about,
        'is left off; it had no effect, since the app token_blacklist is not installed; set it to true when your clients store the new refresh token',
      ),
    ]
  }),
  // Without a signing key, the secret key of the project has signed the tokens.
  ifSet('SIMPLE_JWT.SIGNING_KEY'),
  each('SIMPLE_JWT.VERIFYING_KEY', (value, dump) => {
    const isShared = String(dump.get('SIMPLE_JWT.ALGORITHM') ?? 'HS256').startsWith('HS')
    return isShared || isOff(value) ? [] : [carried('SIMPLE_JWT.VERIFYING_KEY', value)]
  }),
  unlessUsual('SIMPLE_JWT.USER_ID_CLAIM', 'user_id'),
  onlyAs(
    'SIMPLE_JWT.USER_ID_FIELD',
    ['id', 'pk'],
    'the claim holds the pk of the user as text; change the services that read it',
  ),
  each('SIMPLE_JWT.AUTH_HEADER_TYPES', (value) => {
    const about = 'SIMPLE_JWT.AUTH_HEADER_TYPES'
    const words = toList(value)
    return words.every((word) => word === 'Bearer') ? [] : [carried(about, words)]
  }),
  onlyAs(
    'SIMPLE_JWT.AUTH_HEADER_NAME',
    ['HTTP_AUTHORIZATION'],
    'tokens are read from the Authorization header only; let your proxy rename your header',
  ),
  onlyAs('SIMPLE_JWT.TOKEN_TYPE_CLAIM', ['token_type'], 'the claim is always called token_type'),
  onlyAs('SIMPLE_JWT.JTI_CLAIM', ['jti'], 'the claim is always called jti'),
  unless(
    'SIMPLE_JWT.AUTH_TOKEN_CLASSES',
    (value) => toList(value).every((one) => one === ACCESS_TOKEN),
    'only access tokens authenticate; sliding tokens and your own classes are not carried over',
  ),
  ownCode(
    'SIMPLE_JWT.TOKEN_OBTAIN_SERIALIZER',
    PACKAGE,
    'clients log in with login/, not with the views of simplejwt',
  ),
  ownCode(
    'SIMPLE_JWT.USER_AUTHENTICATION_RULE',
    PACKAGE,
    'active users can log in, and inactive ones cannot',
  ),
  whenOn(
    'SIMPLE_JWT.JWK_URL',
    'keys are not fetched from other servers; put their public keys into SIMPLE_JWT.VERIFYING_KEY',
  ),
  needless(`
    SIMPLE_JWT.UPDATE_LAST_LOGIN SIMPLE_JWT.CHECK_REVOKE_TOKEN SIMPLE_JWT.REVOKE_TOKEN_CLAIM
    SIMPLE_JWT.CHECK_USER_IS_ACTIVE SIMPLE_JWT.JSON_ENCODER SIMPLE_JWT.ON_LOGIN_SUCCESS
    SIMPLE_JWT.ON_LOGIN_FAILED SIMPLE_JWT.TOKEN_USER_CLASS SIMPLE_JWT.TOKEN_REFRESH_SERIALIZER
    SIMPLE_JWT.TOKEN_VERIFY_SERIALIZER SIMPLE_JWT.TOKEN_BLACKLIST_SERIALIZER
    SIMPLE_JWT.SLIDING_TOKEN_LIFETIME SIMPLE_JWT.SLIDING_TOKEN_REFRESH_LIFETIME
    SIMPLE_JWT.SLIDING_TOKEN_REFRESH_EXP_CLAIM SIMPLE_JWT.SLIDING_TOKEN_OBTAIN_SERIALIZER
    SIMPLE_JWT.SLIDING_TOKEN_REFRESH_SERIALIZER
  `),
]

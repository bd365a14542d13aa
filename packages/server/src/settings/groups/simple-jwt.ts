import { algorithmNames } from '../../crypto/jwt/algorithms.ts'
import { DAY, MINUTE } from '../../kernel/clock.ts'
import {
  namedTexts,
  optional,
  optionalText,
  secretText,
} from '../../kernel/setting-kinds/compounds.ts'
import { choice, flag, matching } from '../../kernel/setting-kinds/scalars.ts'
import { duration } from '../../kernel/setting-kinds/times.ts'
import { setting } from '../setting.ts'

/** No `__proto__`: it is no data. */
const CLAIM = /^(?!__proto__$)[^\s\p{Cc}]{1,100}$/u
const claimName = matching('the name of a claim', CLAIM)

export const simpleJwt = {
  ACCESS_TOKEN_LIFETIME: setting(duration(), 5 * MINUTE, 'How long an access token is good.'),
  REFRESH_TOKEN_LIFETIME: setting(duration(), DAY, 'How long a refresh token is good.'),
  ROTATE_REFRESH_TOKENS: setting(flag, false, 'Give a new refresh token at every refresh.'),
  BLACKLIST_AFTER_ROTATION: setting(
    flag,
    false,
    'Refuse a rotated refresh token, and end its whole family when it is presented again.',
  ),
  TOKEN_BLACKLIST_ENABLED: setting(flag, true, 'Refuse a refresh token after its logout.'),
  REFRESH_REUSE_GRACE: setting(
    duration({ least: 0 }),
    0,
    'For how long a rotated token is answered with its successor, for clients that refresh twice at once.',
  ),
  ALGORITHM: setting(
    choice(algorithmNames),
    'HS256',
    'How tokens are signed. Those with a key pair (RS…, ES…, EdDSA) publish the public key as a JWK set.',
  ),
  SIGNING_KEY: setting(
    optional(secretText),
    null,
    'The key that signs: text for HS… (`SECRET_KEY` when none), else a private key as PEM text or the path of one.',
  ),
  VERIFYING_KEY: setting(
    optionalText,
    null,
    'Further public keys that check tokens, such as former ones: PEM text, a file, or a folder of `.pem` files.',
  ),
  ISSUER: setting(optionalText, null, 'The `iss` claim: set in new tokens, asked of every token.'),
  AUDIENCE: setting(
    optionalText,
    null,
    'The `aud` claim: set in new tokens, asked of every token.',
  ),
  USER_ID_CLAIM: setting(claimName, 'user_id', 'The claim that holds the pk of the user.'),
  CLAIMS: setting(
    namedTexts('an object from claim to field of the user', CLAIM),
    {},
    'Further claims of access tokens: from a claim to a field that `USER_DETAILS_SERIALIZER` could show, such as `{"roles": "groups"}`, as of the making of the token.',
  ),
  LEEWAY: setting(
    duration({ least: 0 }),
    0,
    'By how much the clocks of others may differ when an expiry is checked.',
  ),
}

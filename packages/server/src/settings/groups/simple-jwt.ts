import { algorithmNames } from '../../crypto/jwt/algorithms.ts'
import { DAY, MINUTE } from '../../kernel/clock.ts'
import {
  list,
  namedTexts,
  optional,
  optionalText,
  secretText,
} from '../../kernel/setting-kinds/compounds.ts'
import { choice, flag, matching } from '../../kernel/setting-kinds/scalars.ts'
import { duration } from '../../kernel/setting-kinds/times.ts'
import { setting } from '../setting.ts'

/** Not `__proto__`: as a key it would change the object instead of adding a claim. */
const CLAIM = /^(?!__proto__$)[^\s\p{Cc}]{1,100}$/u
const claimName = matching('the name of a claim', CLAIM)

export const simpleJwt = {
  ACCESS_TOKEN_LIFETIME: setting(duration(), 5 * MINUTE, 'How long an access token is valid.'),
  REFRESH_TOKEN_LIFETIME: setting(duration(), DAY, 'How long a refresh token is valid.'),
  ROTATE_REFRESH_TOKENS: setting(
    flag,
    false,
    'Answer every refresh with a new refresh token as well.',
  ),
  BLACKLIST_AFTER_ROTATION: setting(
    flag,
    false,
    'Refuse a refresh token after its rotation. If it is used again, all tokens of that login end, because one of them may be stolen.',
  ),
  TOKEN_BLACKLIST_ENABLED: setting(flag, true, 'Refuse a refresh token after logout.'),
  REFRESH_REUSE_GRACE: setting(
    duration({ least: 0 }),
    0,
    'How long a rotated refresh token still gets its successor, for clients that refresh twice at once, and for pages that are reloaded before the answer comes.',
  ),
  ALGORITHM: setting(
    choice(algorithmNames),
    'HS256',
    'How tokens are signed. With RS…, ES… and EdDSA the public key is published as a JWK set, so that other services can check tokens.',
  ),
  SIGNING_KEY: setting(
    optional(secretText),
    null,
    'The key that signs tokens. For HS… it is a text, by default `SECRET_KEY`. For the other algorithms it is a private key, as PEM text or the path of a file.',
  ),
  VERIFYING_KEY: setting(
    optionalText,
    null,
    'Further public keys that check tokens, such as former ones: PEM text, a file, or a folder with `.pem` files.',
  ),
  ISSUER: setting(
    optionalText,
    null,
    'The `iss` claim. New tokens have it, and tokens without it are refused.',
  ),
  AUDIENCE: setting(
    optionalText,
    null,
    'The `aud` claim. New tokens have it, and tokens without it are refused.',
  ),
  AUTH_HEADER_TYPES: setting(
    list(matching('a word such as Bearer or JWT', /^[\w!#$%&'*+.^`|~-]{1,64}$/), { least: 1 }),
    ['Bearer'],
    'The words before an access token in the `Authorization` header. They are case-insensitive. `WWW-Authenticate` names the first one.',
  ),
  USER_ID_CLAIM: setting(claimName, 'user_id', 'The claim that holds the pk of the user.'),
  CLAIMS: setting(
    namedTexts('an object with claims and the fields of the user that they hold', CLAIM),
    {},
    'Further claims of access tokens, each with the field of the user that it holds, such as `{"roles": "groups"}`. Every field that `USER_DETAILS_SERIALIZER` can show is allowed. The value does not change until the next token.',
  ),
  LEEWAY: setting(
    duration({ least: 0 }),
    0,
    'How far the clocks of other machines may be off when the expiry of a token is checked.',
  ),
}

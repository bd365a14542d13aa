import { MINUTE } from '../../kernel/clock.ts'
import { list, optional } from '../../kernel/setting-kinds/compounds.ts'
import { read, textual } from '../../kernel/setting-kinds/kind.ts'
import { choice, flag, integer, origin } from '../../kernel/setting-kinds/scalars.ts'
import { duration } from '../../kernel/setting-kinds/times.ts'
import { answerNames } from '../kinds/answer-names.ts'
import { cookieDomain, cookieName, cookiePath, sameSite } from '../kinds/cookies.ts'
import { userDetails } from '../kinds/user-details.ts'
import { isBefore, version } from '../kinds/version.ts'
import { derived, onWithHttps, publicHost, setting } from '../setting.ts'

/** Android apps have no web origin. Instead they have a hash of the key that signed the app. */
const passkeyOrigin = textual(`${origin.expected}, or android:apk-key-hash:…`, (input) =>
  /^android:apk-key-hash:[\w-]+$/.test(input) ? input : read(origin, input),
)

export const restAuth = {
  VERSION: setting(
    version,
    '7',
    'The version of dj-rest-auth whose answers front ends expect. Below 3 the body of login answers has the refresh token even if an HttpOnly cookie carries it. From 2.2 to 6 a registration that opens a session answers 204, without a key. Below 7 registration sets no JWT cookies.',
  ),
  USE_JWT: setting(
    flag,
    false,
    'Let logins answer with JSON Web Tokens: an access token and a refresh token.',
  ),
  SESSION_LOGIN: derived(
    flag,
    'true; false when REST_AUTH.USE_JWT is on',
    ({ USE_JWT }) => !USE_JWT,
    'Let logins set a session cookie. Requests with this cookie need a CSRF token.',
  ),
  TOKEN_MODEL: setting(
    optional(choice(['token'])),
    'token',
    'Let logins answer with a key of 40 hex digits. `none` switches it off.',
  ),
  TOKEN_CREATOR: setting(
    choice(['one', 'per_login']),
    'one',
    'Whether a user has one key, which every login returns, or each login makes a key of its own. See docs/credentials.md.',
  ),
  JWT_AUTH_COOKIE: setting(
    optional(cookieName),
    null,
    'The name of the cookie that holds the access token. Without it the token is only in the body.',
  ),
  JWT_AUTH_REFRESH_COOKIE: setting(
    optional(cookieName),
    null,
    'The name of the cookie that holds the refresh token. Without it the token is only in the body.',
  ),
  JWT_AUTH_COOKIE_AT_REGISTRATION: derived(
    flag,
    'true; false when REST_AUTH.VERSION is below 7',
    ({ VERSION }) => !isBefore(VERSION, '7'),
    'Let registration set the JWT cookies. Otherwise the new user gets the tokens only in the body.',
  ),
  JWT_AUTH_REFRESH_COOKIE_PATH: setting(
    cookiePath,
    '/',
    'The path of the refresh cookie. Browsers send the cookie only to addresses below it.',
  ),
  JWT_AUTH_COOKIE_DOMAIN: setting(
    optional(cookieDomain),
    null,
    'The domain of both JWT cookies. Without it they belong to the host of the service only.',
  ),
  JWT_AUTH_HTTPONLY: setting(flag, true, 'Hide the JWT cookies from scripts.'),
  JWT_AUTH_SECURE: onWithHttps('Send the JWT cookies over https only.'),
  JWT_AUTH_SAMESITE: setting(sameSite, 'Lax', 'The SameSite attribute of the JWT cookies.'),
  JWT_AUTH_COOKIE_USE_CSRF: setting(
    flag,
    false,
    'Require a CSRF token for POST, PUT, PATCH and DELETE requests that the JWT cookie authenticates.',
  ),
  JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED: setting(
    flag,
    false,
    'Require a CSRF token for every POST, PUT, PATCH and DELETE request without an `Authorization` header.',
  ),
  JWT_AUTH_RETURN_EXPIRATION: setting(
    flag,
    false,
    'Include the expiry times of the tokens in login answers.',
  ),
  OLD_PASSWORD_FIELD_ENABLED: setting(
    flag,
    false,
    'Require the old password when users change their password.',
  ),
  LOGOUT_ON_PASSWORD_CHANGE: setting(
    flag,
    false,
    'When the password changes, also end the session of the request and delete the token.',
  ),
  USER_DETAILS_SERIALIZER: setting(
    userDetails,
    {},
    'Which `fields` of the user are in `user/` and in login answers, which of them are `editable`, and which have another name: `{"fields": ["pk", "email", "profile_id"], "as": {"profile_id": "pk"}}`. By default the fields are `pk`, `username`, `email`, `first_name`, `last_name` and those of `USER_FIELDS`.',
  ),
  ANSWER_NAMES: setting(
    answerNames,
    {},
    'Other names for values in login answers, one or several each, such as `{"access": ["access_token", "access"]}`. Requests can send a refresh token under each of its names, and as `refresh`.',
  ),
  MFA_EPHEMERAL_TOKEN_TIMEOUT: setting(
    duration(),
    5 * MINUTE,
    'How long users may take for the second step of a login.',
  ),
  MFA_TOTP_DIGITS: setting(integer(6, 8), 6, 'How many digits a one-time code has.'),
  MFA_TOTP_PERIOD: setting(
    integer(1, 3600),
    30,
    'After how many seconds authenticator apps show the next one-time code.',
  ),
  MFA_TOTP_ISSUER: publicHost('The name that authenticator apps show for this service.'),
  MFA_RECOVERY_CODE_COUNT: setting(integer(1, 100), 10, 'How many recovery codes a user gets.'),
  PASSKEY_RP_ID: publicHost(
    'The domain that passkeys belong to. If it changes, existing passkeys no longer work.',
  ),
  PASSKEY_RP_NAME: publicHost('The name that browsers show when a user creates a passkey.'),
  PASSKEY_RP_ORIGINS: derived(
    list(passkeyOrigin, { least: 1 }),
    'PUBLIC_URL',
    ({ PUBLIC_URL }) => [PUBLIC_URL],
    'The origins of the pages and apps on which users may use passkeys.',
  ),
  PASSKEY_CHALLENGE_TIMEOUT: setting(
    duration(),
    5 * MINUTE,
    'How long users may take to create or use a passkey.',
  ),
  PASSKEY_USER_VERIFICATION: setting(
    choice(['required', 'preferred', 'discouraged']),
    'preferred',
    'Whether the device must check who uses the passkey, by PIN or fingerprint.',
  ),
}

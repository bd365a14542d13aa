import { MINUTE } from '../../kernel/clock.ts'
import { origin } from '../../kernel/setting-kinds/addresses.ts'
import { list, optional } from '../../kernel/setting-kinds/compounds.ts'
import { read, textual } from '../../kernel/setting-kinds/kind.ts'
import { choice, flag, integer } from '../../kernel/setting-kinds/scalars.ts'
import { duration } from '../../kernel/setting-kinds/times.ts'
import { answerNames } from '../kinds/answer-names.ts'
import { cookieDomain, cookieName, cookiePath, sameSite } from '../kinds/cookies.ts'
import { userDetails } from '../kinds/user-details.ts'
import { derived, onWithHttps, publicHost, setting } from '../setting.ts'

/** Android apps have no web origin. Theirs is a hash of the key that signed the app. */
const passkeyOrigin = textual(`${origin.expected}, or android:apk-key-hash:…`, (input) =>
  /^android:apk-key-hash:[\w-]+$/.test(input) ? input : read(origin, input),
)

export const restAuth = {
  USE_JWT: setting(flag, false, 'Log in with JSON Web Tokens: an access and a refresh token.'),
  SESSION_LOGIN: derived(
    flag,
    'true; false when REST_AUTH.USE_JWT is on',
    ({ USE_JWT }) => !USE_JWT,
    'Log in with a session cookie, protected by a CSRF token.',
  ),
  TOKEN_MODEL: setting(
    optional(choice(['token'])),
    'token',
    'Log in with a key of 40 hex digits that does not expire; `none` switches it off.',
  ),
  JWT_AUTH_COOKIE: setting(
    optional(cookieName),
    null,
    'Name of the cookie that carries the access token; without one it travels in the body only.',
  ),
  JWT_AUTH_REFRESH_COOKIE: setting(
    optional(cookieName),
    null,
    'Name of the cookie that carries the refresh token.',
  ),
  JWT_AUTH_COOKIE_AT_REGISTRATION: setting(
    flag,
    true,
    'Set the JWT cookies at registration, too; without them the new user has the tokens of the body.',
  ),
  JWT_AUTH_REFRESH_COOKIE_PATH: setting(cookiePath, '/', 'Path of the refresh cookie.'),
  JWT_AUTH_COOKIE_DOMAIN: setting(optional(cookieDomain), null, 'Domain of both JWT cookies.'),
  JWT_AUTH_HTTPONLY: setting(flag, true, 'Keep the JWT cookies from scripts.'),
  JWT_AUTH_SECURE: onWithHttps('Send the JWT cookies over https only.'),
  JWT_AUTH_SAMESITE: setting(sameSite, 'Lax', 'SameSite attribute of the JWT cookies.'),
  JWT_AUTH_COOKIE_USE_CSRF: setting(
    flag,
    false,
    'Ask for a CSRF token on unsafe requests that authenticate by the JWT cookie.',
  ),
  JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED: setting(
    flag,
    false,
    'Ask for a CSRF token on every unsafe request without an `Authorization` header.',
  ),
  JWT_AUTH_RETURN_EXPIRATION: setting(flag, false, 'Tell in the answer when the tokens expire.'),
  OLD_PASSWORD_FIELD_ENABLED: setting(
    flag,
    false,
    'Ask for the old password when a new one is set.',
  ),
  LOGOUT_ON_PASSWORD_CHANGE: setting(
    flag,
    false,
    'End the session in use and delete the token, too, when the password changes.',
  ),
  USER_DETAILS_SERIALIZER: setting(
    userDetails,
    {},
    'Which `fields` the user in `user/` and in login answers has, which of them are `editable`, and under which names they stand: `{"fields": ["pk", "email", "profile_id"], "as": {"profile_id": "pk"}}`. The five usual ones and those of `USER_FIELDS`, unless said.',
  ),
  ANSWER_NAMES: setting(
    answerNames,
    {},
    'One name or several under which login answers send a value instead, such as `{"access": ["access_token", "access"]}`. A refresh token is taken under each of its names, and as `refresh`.',
  ),
  MFA_EPHEMERAL_TOKEN_TIMEOUT: setting(
    duration(),
    5 * MINUTE,
    'How long the second step of a login may take.',
  ),
  MFA_TOTP_DIGITS: setting(integer(6, 8), 6, 'Digits of a one-time code.'),
  MFA_TOTP_PERIOD: setting(integer(1, 3600), 30, 'Seconds for which a one-time code is current.'),
  MFA_TOTP_ISSUER: publicHost('The name that authenticator apps show for this service.'),
  MFA_RECOVERY_CODE_COUNT: setting(integer(1, 100), 10, 'Recovery codes per user.'),
  PASSKEY_RP_ID: publicHost('The domain that passkeys belong to.'),
  PASSKEY_RP_NAME: publicHost('The name that browsers show when a passkey is made.'),
  PASSKEY_RP_ORIGINS: derived(
    list(passkeyOrigin, { least: 1 }),
    'PUBLIC_URL',
    ({ PUBLIC_URL }) => [PUBLIC_URL],
    'The origins of the pages and apps that may use passkeys.',
  ),
  PASSKEY_CHALLENGE_TIMEOUT: setting(
    duration(),
    5 * MINUTE,
    'How long making or using a passkey may take.',
  ),
  PASSKEY_USER_VERIFICATION: setting(
    choice(['required', 'preferred', 'discouraged']),
    'preferred',
    'Whether the authenticator must make sure of its user, by PIN or fingerprint.',
  ),
}

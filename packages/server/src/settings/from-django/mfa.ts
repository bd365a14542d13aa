import { asItIs, type Mapping, needless, onto, unless, whenOn } from './mapping.ts'

/** allauth's second factor. The names of dj-rest-auth, in its group, come first. */
export const mfa: readonly Mapping[] = [
  ...['TOTP_DIGITS', 'TOTP_PERIOD', 'TOTP_ISSUER', 'RECOVERY_CODE_COUNT'].map((key) =>
    onto(`MFA_${key}`, `REST_AUTH.MFA_${key}`),
  ),
  ...asItIs('MFA_ALLOW_UNVERIFIED_EMAIL'),
  unless(
    'MFA_TOTP_TOLERANCE',
    (value) => Number(value) <= 1,
    'a code is good one step early or late, and no more',
  ),
  unless(
    'MFA_ADAPTER',
    (path) => String(path).startsWith('allauth.'),
    'code of your own is not carried over; REST_AUTH.MFA_TOTP_ISSUER is the name in authenticator apps',
  ),
  whenOn('MFA_FORMS', 'code of your own is not carried over'),
  whenOn('MFA_TRUST_ENABLED', 'no browser is trusted: every login asks for the second factor'),
  whenOn(
    'MFA_PASSKEY_SIGNUP_ENABLED',
    'an account begins with a password or a social login; passkeys are added to it',
  ),
  whenOn('MFA_TOTP_INSECURE_BYPASS_CODE', 'there is no code that always works'),
  needless(
    ...['MFA_SUPPORTED_TYPES', 'MFA_PASSKEY_LOGIN_ENABLED', 'MFA_RECOVERY_CODE_DIGITS'],
    ...['MFA_RECOVERY_CODES_FORMAT', 'MFA_TRUST_COOKIE_AGE', 'MFA_TRUST_COOKIE_NAME'],
    ...['MFA_TRUST_COOKIE_DOMAIN', 'MFA_TRUST_COOKIE_HTTPONLY', 'MFA_TRUST_COOKIE_PATH'],
    ...['MFA_TRUST_COOKIE_SAMESITE', 'MFA_TRUST_COOKIE_SECURE'],
    ...['MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN', 'MFA_WEBAUTHN_PASSWORDLESS'],
  ),
]

import {
  asItIs,
  type Mapping,
  needless,
  OWN_CODE,
  onto,
  ownCode,
  unless,
  whenOn,
} from './mapping.ts'

/** allauth's second factor. If dj-rest-auth's own setting is also given, that one counts. */
export const mfa: readonly Mapping[] = [
  ...['TOTP_DIGITS', 'TOTP_PERIOD', 'TOTP_ISSUER', 'RECOVERY_CODE_COUNT'].map((key) =>
    onto(`MFA_${key}`, `REST_AUTH.MFA_${key}`),
  ),
  onto('MFA_PASSKEY_SIGNUP_ENABLED', 'ACCOUNT_PASSKEY_SIGNUP'),
  ...asItIs('MFA_ALLOW_UNVERIFIED_EMAIL'),
  unless(
    'MFA_TOTP_TOLERANCE',
    (value) => Number(value) <= 1,
    'a code is accepted at most one step early or late',
  ),
  ownCode(
    'MFA_ADAPTER',
    /^allauth\./,
    'REST_AUTH.MFA_TOTP_ISSUER sets the name in authenticator apps',
  ),
  whenOn('MFA_FORMS', OWN_CODE),
  whenOn('MFA_TRUST_ENABLED', 'browsers cannot be trusted; every login asks for the second factor'),
  whenOn('MFA_TOTP_INSECURE_BYPASS_CODE', 'a code that always works is not possible'),
  needless(`
    MFA_SUPPORTED_TYPES MFA_PASSKEY_LOGIN_ENABLED MFA_RECOVERY_CODE_DIGITS
    MFA_RECOVERY_CODES_FORMAT MFA_TRUST_COOKIE_AGE MFA_TRUST_COOKIE_NAME MFA_TRUST_COOKIE_DOMAIN
    MFA_TRUST_COOKIE_HTTPONLY MFA_TRUST_COOKIE_PATH MFA_TRUST_COOKIE_SAMESITE
    MFA_TRUST_COOKIE_SECURE MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN MFA_WEBAUTHN_PASSWORDLESS
  `),
]

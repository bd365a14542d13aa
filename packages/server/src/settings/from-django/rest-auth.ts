import {
  asItIs,
  each,
  isOff,
  isOn,
  lasting,
  type Mapping,
  needless,
  note,
  unless,
  whenOn,
} from './mapping.ts'
import { toList } from './python-values.ts'
import { VERSION_2 } from './read-dump.ts'

const TOKEN = 'rest_framework.authtoken.models.Token'

const SESSION = 'rest_framework.authentication.SessionAuthentication'

/** dj-rest-auth 2 had other names for the tokens. */
const OLD_ANSWER_NAMES = {
  access: ['access_token', 'access'],
  refresh: ['refresh_token', 'refresh'],
}

const REFRESH_ONLY_IN_COOKIE =
  'dj-rest-auth 2 sent the refresh token in the body, too; here it is blank there while an HttpOnly cookie carries it. Set this to false if your front end reads refresh_token'

/** dj-rest-auth's own settings. We use the same names, so most of them need no change. */
export const restAuth: readonly Mapping[] = [
  ...asItIs(
    'REST_AUTH.USE_JWT',
    'REST_AUTH.JWT_AUTH_COOKIE',
    'REST_AUTH.JWT_AUTH_REFRESH_COOKIE',
    'REST_AUTH.JWT_AUTH_REFRESH_COOKIE_PATH',
    'REST_AUTH.JWT_AUTH_COOKIE_DOMAIN',
    'REST_AUTH.JWT_AUTH_HTTPONLY',
    'REST_AUTH.JWT_AUTH_SECURE',
    'REST_AUTH.JWT_AUTH_SAMESITE',
    'REST_AUTH.JWT_AUTH_COOKIE_USE_CSRF',
    'REST_AUTH.JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED',
    'REST_AUTH.JWT_AUTH_RETURN_EXPIRATION',
    'REST_AUTH.OLD_PASSWORD_FIELD_ENABLED',
    'REST_AUTH.LOGOUT_ON_PASSWORD_CHANGE',
    'REST_AUTH.MFA_TOTP_DIGITS',
    'REST_AUTH.MFA_TOTP_PERIOD',
    'REST_AUTH.MFA_TOTP_ISSUER',
    'REST_AUTH.MFA_RECOVERY_CODE_COUNT',
    'REST_AUTH.PASSKEY_RP_ID',
    'REST_AUTH.PASSKEY_RP_NAME',
    'REST_AUTH.PASSKEY_RP_ORIGINS',
    'REST_AUTH.PASSKEY_USER_VERIFICATION',
  ),
  lasting('REST_AUTH.MFA_EPHEMERAL_TOKEN_TIMEOUT'),
  lasting('REST_AUTH.PASSKEY_CHALLENGE_TIMEOUT'),
  {
    from: ['REST_AUTH.SESSION_LOGIN'],
    // With JWT, dj-rest-auth also opens a session by default, and we do not. The session matters
    // only if the project accepts sessions.
    carry(dump) {
      const about = 'REST_AUTH.SESSION_LOGIN'
      const classes = toList(dump.get('REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES'))
      const isAsked = isOn(dump.get('REST_AUTH.USE_JWT')) && classes.includes(SESSION)
      if (!dump.has(about) && !isAsked) return []
      return [{ setting: about, value: dump.get(about) ?? true, about }]
    },
  },
  each('REST_AUTH.TOKEN_MODEL', (value) => {
    const about = 'REST_AUTH.TOKEN_MODEL'
    const carried = { setting: about, value: isOff(value) ? null : 'token', about }
    if (isOff(value) || value === TOKEN) return [carried]
    return [
      carried,
      note(about, 'your own model is not carried over; every user has one key of 40 hex digits'),
    ]
  }),
  {
    from: [],
    carry(dump) {
      if (!dump.has(VERSION_2) || !isOn(dump.get('REST_AUTH.USE_JWT'))) return []
      const about = 'REST_AUTH.ANSWER_NAMES'
      const isInBody =
        isOff(dump.get('REST_AUTH.JWT_AUTH_REFRESH_COOKIE') ?? null) ||
        dump.get('REST_AUTH.JWT_AUTH_HTTPONLY') === false
      return [
        { setting: about, value: OLD_ANSWER_NAMES, about },
        ...(isInBody ? [] : [note('REST_AUTH.JWT_AUTH_HTTPONLY', REFRESH_ONLY_IN_COOKIE)]),
      ]
    },
  },
  whenOn(
    'REST_AUTH.PASSWORD_RESET_USE_SITES_DOMAIN',
    'links in mails begin with PUBLIC_URL, unless PASSWORD_RESET_URL and EMAIL_CONFIRM_URL are set',
  ),
  unless(
    'REST_AUTH.REGISTER_PERMISSION_CLASSES',
    (value) => toList(value).every((one) => one === 'rest_framework.permissions.AllowAny'),
    'registration is open to everybody; to close it, remove registration from MODULES',
  ),
  // A library that simplejwt replaced long ago. Its settings have other names.
  whenOn('JWT_AUTH', 'the settings of djangorestframework-jwt are not read; use SIMPLE_JWT'),
  needless('REST_AUTH_PW_RESET_USE_SITES_DOMAIN'),
]

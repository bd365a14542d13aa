import {
  asItIs,
  carried,
  each,
  isOff,
  isOn,
  lasting,
  type Mapping,
  needless,
  note,
  sameSite,
  whenOn,
} from './mapping.ts'
import { toList } from './python-values.ts'

const TOKEN = 'rest_framework.authtoken.models.Token'

const SESSION = 'rest_framework.authentication.SessionAuthentication'

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
  sameSite('REST_AUTH.JWT_AUTH_SAMESITE'),
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
      return [carried(about, dump.get(about) ?? true)]
    },
  },
  each('REST_AUTH.TOKEN_MODEL', (value) => {
    const about = 'REST_AUTH.TOKEN_MODEL'
    if (isOff(value)) return [carried(about, null)]
    if (value === TOKEN) return [carried(about, 'token')]
    return [
      carried(about, 'token'),
      note(
        about,
        'your own model has no counterpart: its keys end, and new ones have 40 hex digits',
      ),
    ]
  }),
  whenOn(
    'REST_AUTH.PASSWORD_RESET_USE_SITES_DOMAIN',
    'links in mails begin with PUBLIC_URL, unless PASSWORD_RESET_URL and EMAIL_CONFIRM_URL are set',
  ),
  needless('REST_AUTH_PW_RESET_USE_SITES_DOMAIN'),
]

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

const TOKEN = 'rest_framework.authtoken.models.Token'

const SESSION = 'rest_framework.authentication.SessionAuthentication'

/** dj-rest-auth's own settings. Its names are ours, so that most of them go over as they are. */
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
    // A session that is opened beside a JWT matters only where the project also asks for it. That
    // is its default in dj-rest-auth and not here.
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
      note(about, 'a model of your own is not carried over: keys have 40 hex digits, one per user'),
    ]
  }),
  whenOn(
    'REST_AUTH.PASSWORD_RESET_USE_SITES_DOMAIN',
    'links lead to PUBLIC_URL, or where PASSWORD_RESET_URL and EMAIL_CONFIRM_URL say',
  ),
  unless(
    'REST_AUTH.REGISTER_PERMISSION_CLASSES',
    (value) => toList(value).every((one) => one === 'rest_framework.permissions.AllowAny'),
    'registration is open to everybody here; to close it, leave registration out of MODULES',
  ),
  // A library that was superseded long ago; the names inside are its own.
  whenOn('JWT_AUTH', 'the settings of djangorestframework-jwt are not read; see SIMPLE_JWT'),
  needless('REST_AUTH_PW_RESET_USE_SITES_DOMAIN'),
]

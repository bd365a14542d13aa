import { DAY, HOUR, MINUTE } from '../../kernel/clock.ts'
import { type Check, TURN_ON } from '../finding.ts'
import { isBefore } from '../kinds/version.ts'

/** As in browsers, a cookie path covers everything below it. */
const covers = (cookiePath: string, path: string): boolean =>
  path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`)

/** Settings that widen what a stolen credential or another page can do. */
export const logins: readonly Check[] = [
  {
    about: 'REST_AUTH.JWT_AUTH_REFRESH_COOKIE_PATH',
    applies: ({ AUTH_PREFIX, REST_AUTH }) =>
      REST_AUTH.USE_JWT &&
      REST_AUTH.JWT_AUTH_REFRESH_COOKIE !== null &&
      !covers(REST_AUTH.JWT_AUTH_REFRESH_COOKIE_PATH, `${AUTH_PREFIX}token/refresh/`),
    says: 'browsers never send the refresh cookie to token/refresh/',
    mend: 'use a path that covers this endpoint, such as AUTH_PREFIX',
  },
  {
    about: 'REST_AUTH.JWT_AUTH_HTTPONLY',
    applies: ({ REST_AUTH }) => !REST_AUTH.JWT_AUTH_HTTPONLY,
    says: 'every script on a page can read the tokens in the cookies',
    mend: TURN_ON,
  },
  {
    about: 'REST_AUTH.VERSION',
    applies: ({ REST_AUTH }) =>
      REST_AUTH.USE_JWT &&
      REST_AUTH.JWT_AUTH_HTTPONLY &&
      REST_AUTH.JWT_AUTH_REFRESH_COOKIE !== null &&
      isBefore(REST_AUTH.VERSION, '3'),
    says: 'the refresh token is in the body as well, where every script on a page can read it in spite of the HttpOnly cookie',
    mend: 'use 3 or later, and let the front end refresh with the cookie alone',
  },
  {
    about: 'REST_AUTH.JWT_AUTH_COOKIE_USE_CSRF',
    applies: ({ REST_AUTH: { USE_JWT, JWT_AUTH_COOKIE, JWT_AUTH_COOKIE_USE_CSRF } }) =>
      USE_JWT && JWT_AUTH_COOKIE !== null && !JWT_AUTH_COOKIE_USE_CSRF,
    says: 'the JWT cookie authenticates requests without a CSRF token, so other sites can send them',
    mend: `${TURN_ON}, and let the front end send X-CSRFToken with every POST, PUT, PATCH and DELETE`,
  },
  {
    about: 'REST_AUTH.OLD_PASSWORD_FIELD_ENABLED',
    applies: ({ REST_AUTH }) => !REST_AUTH.OLD_PASSWORD_FIELD_ENABLED,
    says: 'somebody who finds an open session can take over the account by changing its password',
    mend: `${TURN_ON}, and let the front end send old_password when the password changes`,
  },
  {
    about: 'REST_AUTH.LOGOUT_ON_PASSWORD_CHANGE',
    applies: ({ REST_AUTH }) => !REST_AUTH.LOGOUT_ON_PASSWORD_CHANGE,
    says: 'after a password change the token and the current session still work, even for somebody who stole them',
    mend: `${TURN_ON}, and let users log in again after the change`,
  },
  {
    about: 'SIMPLE_JWT.ACCESS_TOKEN_LIFETIME',
    applies: ({ REST_AUTH: { USE_JWT }, SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME } }) =>
      USE_JWT && ACCESS_TOKEN_LIFETIME > HOUR,
    says: 'services that only check the signature accept a stolen token for more than an hour',
    mend: 'use a few minutes, and let clients refresh',
  },
  {
    about: 'SIMPLE_JWT.LEEWAY',
    applies: ({ REST_AUTH: { USE_JWT }, SIMPLE_JWT }) => USE_JWT && SIMPLE_JWT.LEEWAY > MINUTE,
    says: 'a stolen token is accepted for more than a minute after it has expired',
    mend: 'use a few seconds, or 0, and let the machines synchronise their clocks',
  },
  {
    about: 'SIMPLE_JWT.BLACKLIST_AFTER_ROTATION',
    applies: ({ REST_AUTH: { USE_JWT }, SIMPLE_JWT }) =>
      USE_JWT && SIMPLE_JWT.ROTATE_REFRESH_TOKENS && !SIMPLE_JWT.BLACKLIST_AFTER_ROTATION,
    says: 'rotated refresh tokens stay valid, so a stolen one is never noticed',
    mend: TURN_ON,
  },
  {
    about: 'SIMPLE_JWT.TOKEN_BLACKLIST_ENABLED',
    applies: ({ REST_AUTH: { USE_JWT }, SIMPLE_JWT }) =>
      USE_JWT && !SIMPLE_JWT.TOKEN_BLACKLIST_ENABLED,
    says: 'refresh tokens stay valid after logout',
    mend: TURN_ON,
  },
  {
    about: 'SIMPLE_JWT.REFRESH_REUSE_GRACE',
    applies: ({ SIMPLE_JWT }) => SIMPLE_JWT.REFRESH_REUSE_GRACE > MINUTE,
    says: 'a stolen refresh token can be used for more than a minute after its rotation, and nobody notices',
    mend: 'use a few seconds, or 0',
  },
  {
    about: 'ACCOUNT.LOGOUT_ON_GET',
    applies: ({ ACCOUNT }) => ACCOUNT.LOGOUT_ON_GET,
    says: 'any web page can log its visitors out by loading an image from logout/',
    mend: 'set it to false, and log out by POST',
  },
  {
    about: 'ACCOUNT.REAUTHENTICATION_REQUIRED',
    applies: ({ ACCOUNT }) => !ACCOUNT.REAUTHENTICATION_REQUIRED,
    says: 'somebody who finds an open session can add a passkey or a social account, and log in later',
    mend: `${TURN_ON}, and let the front end call reauthenticate/`,
  },
  {
    about: 'ACCOUNT.REAUTHENTICATION_REQUIRED',
    applies: ({ ACCOUNT, MODULES }) =>
      MODULES.includes('admin') && !ACCOUNT.REAUTHENTICATION_REQUIRED,
    says: 'a stolen session of an operator can add a passkey, and log in to the admin with it',
    mend: `${TURN_ON}, since operators use the public API as well`,
  },
  {
    about: 'ACCOUNT.REAUTHENTICATION_TIMEOUT',
    applies: ({ ACCOUNT }) => ACCOUNT.REAUTHENTICATION_TIMEOUT > HOUR,
    says: 'a login counts as recent for more than an hour, so somebody who finds an open session can make sensitive changes',
    mend: 'use a few minutes',
  },
  {
    about: 'REST_AUTH.MFA_EPHEMERAL_TOKEN_TIMEOUT',
    applies: ({ MODULES, REST_AUTH }) =>
      MODULES.includes('mfa') && REST_AUTH.MFA_EPHEMERAL_TOKEN_TIMEOUT > HOUR,
    says: 'somebody who finds a login that waits for its second step needs no password for more than an hour',
    mend: 'use a few minutes',
  },
  {
    about: 'REST_AUTH.PASSKEY_CHALLENGE_TIMEOUT',
    applies: ({ MODULES, REST_AUTH }) =>
      MODULES.includes('passkeys') && REST_AUTH.PASSKEY_CHALLENGE_TIMEOUT > HOUR,
    says: 'somebody who gets hold of the answer of a passkey before it is sent can log in with it for more than an hour',
    mend: 'use a few minutes',
  },
  {
    about: 'ACCOUNT.CONFIRM_EMAIL_ON_GET',
    applies: ({ ACCOUNT }) => ACCOUNT.CONFIRM_EMAIL_ON_GET,
    says: 'programs that open the links in mails, such as virus scanners, confirm an address without its owner',
    mend: 'set it to false, so that the owner confirms with a button',
  },
  {
    about: 'PASSWORD_RESET_TIMEOUT',
    applies: ({ PASSWORD_RESET_TIMEOUT }) => PASSWORD_RESET_TIMEOUT > DAY,
    says: 'somebody who finds an old reset mail can take over the account for more than a day',
    mend: 'use about an hour',
  },
  {
    about: 'ACCOUNT.LOGIN_BY_CODE_TIMEOUT',
    applies: ({ ACCOUNT }) => ACCOUNT.LOGIN_BY_CODE_ENABLED && ACCOUNT.LOGIN_BY_CODE_TIMEOUT > HOUR,
    says: 'somebody who sees the mail can log in with its code for more than an hour',
    mend: 'use a few minutes',
  },
]

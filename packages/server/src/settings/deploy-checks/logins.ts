import { DAY, HOUR, MINUTE } from '../../kernel/clock.ts'
import { type Check, TURN_ON } from './check.ts'

/** As browsers do it: a cookie path covers everything below it. */
const covers = (cookiePath: string, path: string): boolean =>
  path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`)

/** What a stolen credential, or another page, can do. */
export const logins: readonly Check[] = [
  {
    setting: 'REST_AUTH.JWT_AUTH_REFRESH_COOKIE_PATH',
    unsafe: ({ AUTH_PREFIX, REST_AUTH }) =>
      REST_AUTH.USE_JWT &&
      REST_AUTH.JWT_AUTH_REFRESH_COOKIE !== null &&
      !covers(REST_AUTH.JWT_AUTH_REFRESH_COOKIE_PATH, `${AUTH_PREFIX}token/refresh/`),
    finding: 'browsers never send the refresh cookie to token/refresh/',
    mend: 'give a path that covers it, such as that of AUTH_PREFIX',
  },
  {
    setting: 'REST_AUTH.JWT_AUTH_HTTPONLY',
    unsafe: ({ REST_AUTH }) => !REST_AUTH.JWT_AUTH_HTTPONLY,
    finding: 'any script on the page can read the tokens',
    mend: TURN_ON,
  },
  {
    setting: 'REST_AUTH.JWT_AUTH_COOKIE_USE_CSRF',
    unsafe: ({ REST_AUTH: { USE_JWT, JWT_AUTH_COOKIE, JWT_AUTH_COOKIE_USE_CSRF } }) =>
      USE_JWT && JWT_AUTH_COOKIE !== null && !JWT_AUTH_COOKIE_USE_CSRF,
    finding: 'the JWT cookie logs requests in without a CSRF token',
    mend: `${TURN_ON} and send X-CSRFToken with unsafe requests`,
  },
  {
    setting: 'REST_AUTH.OLD_PASSWORD_FIELD_ENABLED',
    unsafe: ({ REST_AUTH }) => !REST_AUTH.OLD_PASSWORD_FIELD_ENABLED,
    finding: 'whoever finds an open session can take the account over by a new password',
    mend: `${TURN_ON} and send old_password when it changes`,
  },
  {
    setting: 'REST_AUTH.LOGOUT_ON_PASSWORD_CHANGE',
    unsafe: ({ REST_AUTH }) => !REST_AUTH.LOGOUT_ON_PASSWORD_CHANGE,
    finding: 'a session or token that somebody else uses as well survives a new password',
    mend: `${TURN_ON} and let users log in again after the change`,
  },
  {
    setting: 'SIMPLE_JWT.ACCESS_TOKEN_LIFETIME',
    unsafe: ({ REST_AUTH: { USE_JWT }, SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME } }) =>
      USE_JWT && ACCESS_TOKEN_LIFETIME > HOUR,
    finding: 'services that only check the signature accept a stolen token for over an hour',
    mend: 'give minutes, and let clients refresh',
  },
  {
    setting: 'SIMPLE_JWT.BLACKLIST_AFTER_ROTATION',
    unsafe: ({ REST_AUTH: { USE_JWT }, SIMPLE_JWT }) =>
      USE_JWT && SIMPLE_JWT.ROTATE_REFRESH_TOKENS && !SIMPLE_JWT.BLACKLIST_AFTER_ROTATION,
    finding: 'rotated refresh tokens stay good, so that a stolen one is never noticed',
    mend: TURN_ON,
  },
  {
    setting: 'SIMPLE_JWT.TOKEN_BLACKLIST_ENABLED',
    unsafe: ({ REST_AUTH: { USE_JWT }, SIMPLE_JWT }) =>
      USE_JWT && !SIMPLE_JWT.TOKEN_BLACKLIST_ENABLED,
    finding: 'refresh tokens stay good after logout',
    mend: TURN_ON,
  },
  {
    setting: 'SIMPLE_JWT.REFRESH_REUSE_GRACE',
    unsafe: ({ SIMPLE_JWT }) => SIMPLE_JWT.REFRESH_REUSE_GRACE > MINUTE,
    finding: 'a stolen refresh token can be used unnoticed for over a minute after its rotation',
    mend: 'give a few seconds, or 0',
  },
  {
    setting: 'ACCOUNT.LOGOUT_ON_GET',
    unsafe: ({ ACCOUNT }) => ACCOUNT.LOGOUT_ON_GET,
    finding: 'any page can log its visitors out with an image',
    mend: 'set it to false and log out by POST',
  },
  {
    setting: 'ACCOUNT.REAUTHENTICATION_REQUIRED',
    unsafe: ({ ACCOUNT }) => !ACCOUNT.REAUTHENTICATION_REQUIRED,
    finding: 'whoever finds an open session can add ways to log in to the account',
    mend: `${TURN_ON} and ask users again by reauthenticate/`,
  },
  {
    setting: 'PASSWORD_RESET_TIMEOUT',
    unsafe: ({ PASSWORD_RESET_TIMEOUT }) => PASSWORD_RESET_TIMEOUT > DAY,
    finding: 'a forgotten mail opens the account for over a day',
    mend: 'give an hour or so',
  },
]

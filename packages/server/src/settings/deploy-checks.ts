import { DAY, HOUR, MINUTE } from '../kernel/clock.ts'
import { isLoopback } from '../kernel/loopback.ts'
import type { SettingName, Settings } from './settings.ts'

/** A choice that is fine on a developer's machine and unsafe in production. */
export type Finding = {
  readonly setting: SettingName
  readonly finding: string
  /** What to do about it. */
  readonly mend: string
}

export type Check = Finding & {
  readonly unsafe: (settings: Settings) => boolean
  /** The setting that this default depends on. Mending that one mends this one. */
  readonly cause?: SettingName
}

const isGuessable = (key: string): boolean =>
  key.length < 32 ||
  new Set(key).size < 10 ||
  /^django-insecure-|change.?me|secret|password/i.test(key)

/**
 * The service itself speaks plain http, so an https address means that a proxy is in front of it.
 */
const isBehindProxy = ({ HOST, PUBLIC_URL }: Settings): boolean =>
  isLoopback(HOST) || PUBLIC_URL.startsWith('https:')

const isPlainHttp = (url: string): boolean => url.startsWith('http:')

/** Whether mails could be sent without TLS. On loopback nobody can listen in. */
function mayMailInTheClear(url: string): boolean {
  if (!url.startsWith('smtp:')) return false
  const { hostname, searchParams } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return !isLoopback(host) && searchParams.get('requireTLS') !== 'true'
}

/** As browsers do it: a cookie path covers everything below it. */
const covers = (cookiePath: string, path: string): boolean =>
  path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`)

const NEW_KEY = 'give at least 32 random characters, such as "openssl rand -hex 32" prints'
const GUESSABLE = 'can be guessed, and whoever has it can forge any credential'
const COOKIE_IN_THE_CLEAR = 'the cookie is sent over plain http as well, for anybody to read'
const LINK_IN_THE_CLEAR = 'the secret in the link travels in the clear'
const ORIGIN_IN_THE_CLEAR = 'trusts a page over plain http, which anybody on the way can change'
const ONLY_HTTPS = 'keep https:// origins only'
const TURN_ON = 'set it to true'
const USE_HTTPS = 'give an https:// address'

export const checks: readonly Check[] = [
  {
    setting: 'PUBLIC_URL',
    unsafe: ({ PUBLIC_URL }) => isPlainHttp(PUBLIC_URL),
    finding: 'passwords and tokens travel in the clear',
    mend: 'put a proxy with TLS in front and give its https:// address',
  },
  {
    setting: 'SECRET_KEY',
    unsafe: ({ SECRET_KEY }) => SECRET_KEY !== null && isGuessable(SECRET_KEY),
    finding: GUESSABLE,
    mend: `${NEW_KEY}, and keep the old one in SECRET_KEY_FALLBACKS for a while`,
  },
  {
    setting: 'SIMPLE_JWT.SIGNING_KEY',
    unsafe: ({ SIMPLE_JWT: { ALGORITHM, SIGNING_KEY } }) =>
      ALGORITHM === 'HS256' && SIGNING_KEY !== null && isGuessable(SIGNING_KEY),
    finding: GUESSABLE,
    mend: NEW_KEY,
  },
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
    setting: 'SESSION_COOKIE_SECURE',
    cause: 'PUBLIC_URL',
    unsafe: ({ SESSION_COOKIE_SECURE }) => !SESSION_COOKIE_SECURE,
    finding: COOKIE_IN_THE_CLEAR,
    mend: TURN_ON,
  },
  {
    setting: 'CSRF_COOKIE_SECURE',
    cause: 'PUBLIC_URL',
    unsafe: ({ CSRF_COOKIE_SECURE }) => !CSRF_COOKIE_SECURE,
    finding: COOKIE_IN_THE_CLEAR,
    mend: TURN_ON,
  },
  {
    setting: 'REST_AUTH.JWT_AUTH_SECURE',
    cause: 'PUBLIC_URL',
    unsafe: ({ REST_AUTH }) => !REST_AUTH.JWT_AUTH_SECURE,
    finding: COOKIE_IN_THE_CLEAR,
    mend: TURN_ON,
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
    setting: 'ACCOUNT.EMAIL_VERIFICATION',
    unsafe: ({ ACCOUNT }) => ACCOUNT.EMAIL_VERIFICATION === 'none',
    finding: 'anybody can register with the address of somebody else',
    mend: 'set it to mandatory, or at least to optional',
  },
  {
    setting: 'ACCOUNT.RATE_LIMITS',
    unsafe: ({ ACCOUNT }) =>
      Object.values(ACCOUNT.RATE_LIMITS).some((limits) => limits.length === 0),
    finding:
      'a limit is switched off, so that passwords or codes can be tried, or mails sent, without end',
    mend: 'leave the defaults, or give a limit for every key',
  },
  {
    setting: 'REST_FRAMEWORK.DEFAULT_THROTTLE_RATES',
    unsafe: ({ REST_FRAMEWORK }) => REST_FRAMEWORK.DEFAULT_THROTTLE_RATES.auth_service === null,
    finding: 'a client may send any number of requests',
    mend: 'give auth_service a rate, such as 60/m',
  },
  {
    setting: 'REST_FRAMEWORK.NUM_PROXIES',
    unsafe: (settings) => settings.REST_FRAMEWORK.NUM_PROXIES === 0 && isBehindProxy(settings),
    finding: 'behind a proxy all clients look like one address and share its limits',
    mend: 'give the number of proxies in front, usually 1',
  },
  {
    setting: 'CSRF_TRUSTED_ORIGINS',
    unsafe: ({ CSRF_TRUSTED_ORIGINS }) => CSRF_TRUSTED_ORIGINS.some(isPlainHttp),
    finding: ORIGIN_IN_THE_CLEAR,
    mend: ONLY_HTTPS,
  },
  {
    setting: 'CORS_ALLOWED_ORIGINS',
    unsafe: ({ CORS_ALLOWED_ORIGINS }) => CORS_ALLOWED_ORIGINS.some(isPlainHttp),
    finding: ORIGIN_IN_THE_CLEAR,
    mend: ONLY_HTTPS,
  },
  {
    setting: 'REST_AUTH.PASSKEY_RP_ORIGINS',
    cause: 'PUBLIC_URL',
    unsafe: ({ REST_AUTH }) => REST_AUTH.PASSKEY_RP_ORIGINS.some(isPlainHttp),
    finding: ORIGIN_IN_THE_CLEAR,
    mend: ONLY_HTTPS,
  },
  {
    setting: 'EMAIL_URL',
    unsafe: ({ EMAIL_URL }) => !EMAIL_URL.startsWith('smtp'),
    finding: 'mails with secret links are printed or filed instead of sent',
    mend: 'give the mail server, smtps://',
  },
  {
    setting: 'EMAIL_URL',
    unsafe: ({ EMAIL_URL }) => mayMailInTheClear(EMAIL_URL),
    finding: 'mails with secret links, and the password, go out in the clear if TLS is not offered',
    mend: 'give smtps://, or add ?requireTLS=true',
  },
  {
    setting: 'PASSWORD_RESET_URL',
    cause: 'PUBLIC_URL',
    unsafe: ({ PASSWORD_RESET_URL }) => isPlainHttp(PASSWORD_RESET_URL),
    finding: LINK_IN_THE_CLEAR,
    mend: USE_HTTPS,
  },
  {
    setting: 'EMAIL_CONFIRM_URL',
    cause: 'PUBLIC_URL',
    unsafe: ({ EMAIL_CONFIRM_URL }) => isPlainHttp(EMAIL_CONFIRM_URL),
    finding: LINK_IN_THE_CLEAR,
    mend: USE_HTTPS,
  },
  {
    setting: 'PASSWORD_RESET_TIMEOUT',
    unsafe: ({ PASSWORD_RESET_TIMEOUT }) => PASSWORD_RESET_TIMEOUT > DAY,
    finding: 'a forgotten mail opens the account for over a day',
    mend: 'give an hour or so',
  },
  {
    setting: 'PASSWORD_HASHERS',
    unsafe: ({ PASSWORD_HASHERS: [first] }) => first === 'pbkdf2_sha1' || first === 'bcrypt',
    finding: 'new passwords are hashed by a scheme of the past',
    mend: 'put argon2 first; older hashes go on working and are renewed at login',
  },
]

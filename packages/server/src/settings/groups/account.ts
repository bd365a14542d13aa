import { MINUTE } from '../../kernel/clock.ts'
import { list } from '../../kernel/setting-kinds/compounds.ts'
import { choice, flag, positiveNumber } from '../../kernel/setting-kinds/scalars.ts'
import { duration } from '../../kernel/setting-kinds/times.ts'
import { emailDomains } from '../kinds/email-domains.ts'
import { defaultRateLimits, rateLimits } from '../kinds/rates.ts'
import { setting } from '../setting.ts'

const LOGIN_METHODS = ['username', 'email'] as const

const SIGNUP_FIELDS = [
  'username*',
  'username',
  'email*',
  'email',
  'password1*',
  'password1',
  'password2*',
  'password2',
  'first_name*',
  'first_name',
  'last_name*',
  'last_name',
] as const

const TEN_YEARS_IN_DAYS = 3650

export const account = {
  LOGOUT_ON_GET: setting(
    flag,
    false,
    'Let `GET logout/` log out as well. By default only `POST` does.',
  ),
  EMAIL_VERIFICATION: setting(
    choice(['mandatory', 'optional', 'none']),
    'optional',
    'Whether new addresses must be confirmed: `optional` sends a mail with a link, `mandatory` also refuses logins until the address is confirmed, and `none` sends no mail.',
  ),
  CONFIRM_EMAIL_ON_GET: setting(
    flag,
    false,
    'Confirm an address as soon as the link in the mail is opened, without a button. Mail scanners also open links, and would confirm it.',
  ),
  LOGIN_METHODS: setting(
    list(choice(LOGIN_METHODS), { least: 1 }),
    LOGIN_METHODS,
    'What users can log in with besides their password: their username, their address, or both.',
  ),
  LOGIN_BY_CODE_ENABLED: setting(
    flag,
    false,
    'Let users log in with a mailed six-digit code instead of a password.',
  ),
  LOGIN_BY_CODE_TIMEOUT: setting(duration(), 5 * MINUTE, 'How long a mailed login code is valid.'),
  SIGNUP: setting(
    choice(['open', 'invited', 'closed']),
    'open',
    'Who may register, here or by a first social login: everybody, only people with an invitation, or nobody. See docs/sign-up.md.',
  ),
  SIGNUP_FIELDS: setting(
    list(choice(SIGNUP_FIELDS), { least: 1 }),
    ['username*', 'email*', 'password1*', 'password2*'],
    'The fields of registration; a star means required. Without a username, one is made from the address.',
  ),
  PASSKEY_SIGNUP: setting(
    flag,
    true,
    'Let people register with a passkey instead of a password, if the modules `registration` and `passkeys` are on.',
  ),
  ALLOWED_EMAIL_DOMAINS: setting(
    emailDomains,
    [],
    'The only domains that addresses of new accounts, and new addresses of existing ones, may have: `example.com`, `*.example.com` for all below it, or `file:<path>` with one in each line. Without any, all are allowed.',
  ),
  BLOCKED_EMAIL_DOMAINS: setting(
    emailDomains,
    [],
    'The domains that addresses of new accounts, and new addresses of existing ones, must not have, in the form of `ALLOWED_EMAIL_DOMAINS`. They win over allowed ones.',
  ),
  USERNAME_SKELETONS: setting(
    flag,
    false,
    'Refuse a new username that looks like an existing one, such as `аdmin` with a Cyrillic `а` for `admin`.',
  ),
  EMAIL_CONFIRMATION_EXPIRE_DAYS: setting(
    positiveNumber(TEN_YEARS_IN_DAYS),
    3,
    'For how many days the link to confirm an address is valid.',
  ),
  REAUTHENTICATION_REQUIRED: setting(
    flag,
    false,
    'Require a recent login before users change passwords, second factors, passkeys, connected accounts, addresses or logins.',
  ),
  REAUTHENTICATION_TIMEOUT: setting(
    duration(),
    5 * MINUTE,
    'How long a login, or a call of `reauthenticate/`, counts as recent.',
  ),
  NEW_DEVICE_MAIL: setting(flag, false, 'Mail users about each login from a new device.'),
  DELETION: setting(flag, false, 'Let users delete their own account, with `account/delete/`.'),
  RATE_LIMITS: setting(
    rateLimits,
    defaultRateLimits,
    'Limits on failed logins, mails, sign-ups and other requests that need no login: `<count>/<period>/<ip|key|user>`, several with commas, `none` for no limit. Missing keys keep their default. See docs/limits.md.',
  ),
}

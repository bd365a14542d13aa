import { MINUTE } from '../../kernel/clock.ts'
import { list } from '../../kernel/setting-kinds/compounds.ts'
import { choice, flag, positiveNumber } from '../../kernel/setting-kinds/scalars.ts'
import { duration } from '../../kernel/setting-kinds/times.ts'
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
  LOGOUT_ON_GET: setting(flag, false, 'Let a plain GET of `logout/` log out.'),
  EMAIL_VERIFICATION: setting(
    choice(['mandatory', 'optional', 'none']),
    'optional',
    'Whether a new address is sent a link to confirm it, and whether login waits for that.',
  ),
  CONFIRM_EMAIL_ON_GET: setting(
    flag,
    false,
    'Let opening the link of a verification mail confirm the address. Scanners of mails open links, too.',
  ),
  LOGIN_METHODS: setting(
    list(choice(LOGIN_METHODS), { least: 1 }),
    LOGIN_METHODS,
    'What users may identify themselves with at login.',
  ),
  SIGNUP_FIELDS: setting(
    list(choice(SIGNUP_FIELDS), { least: 1 }),
    ['username*', 'email*', 'password1*', 'password2*'],
    'What registration asks for; a star means required. A username not given is made from the address.',
  ),
  USERNAME_SKELETONS: setting(
    flag,
    false,
    'Refuse a username that can be taken for one that exists, such as `аdmin` with a Cyrillic `а` for `admin`.',
  ),
  EMAIL_CONFIRMATION_EXPIRE_DAYS: setting(
    positiveNumber(TEN_YEARS_IN_DAYS),
    3,
    'Days for which the link to confirm an address is good.',
  ),
  REAUTHENTICATION_REQUIRED: setting(
    flag,
    false,
    'Ask users to have proved lately who they are before they change passwords, second factors, passkeys, connected accounts, addresses or logins.',
  ),
  REAUTHENTICATION_TIMEOUT: setting(
    duration(),
    5 * MINUTE,
    'How long after a login, or after `reauthenticate/`, that counts as lately.',
  ),
  NEW_DEVICE_MAIL: setting(
    flag,
    false,
    'Tell users by mail of a login from a device that they have not used before.',
  ),
  RATE_LIMITS: setting(
    rateLimits,
    defaultRateLimits,
    'Limits on failures, mails, sign-ups and what else anybody may ask for: `<count>/<period>/<ip|key|user>`, several with commas, `none` for no limit. Keys not given keep their default.',
  ),
}

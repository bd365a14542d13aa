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
  LOGOUT_ON_GET: setting(
    flag,
    false,
    'Whether a plain `GET logout/` logs out. Without it only `POST` does.',
  ),
  EMAIL_VERIFICATION: setting(
    choice(['mandatory', 'optional', 'none']),
    'optional',
    'Whether a new address gets a mail with a link to confirm it: `none` sends no mail, and `mandatory` lets users log in only after they have confirmed it.',
  ),
  CONFIRM_EMAIL_ON_GET: setting(
    flag,
    false,
    'Confirm an address as soon as the link in the mail is opened, without a button. Mail scanners open links, too, and would confirm it.',
  ),
  LOGIN_METHODS: setting(
    list(choice(LOGIN_METHODS), { least: 1 }),
    LOGIN_METHODS,
    'What users can log in with besides their password: their username, their address, or both.',
  ),
  LOGIN_BY_CODE_ENABLED: setting(
    flag,
    false,
    'Let users log in with a code of six digits that is mailed to them, instead of a password.',
  ),
  LOGIN_BY_CODE_TIMEOUT: setting(duration(), 5 * MINUTE, 'How long such a code is valid.'),
  SIGNUP_FIELDS: setting(
    list(choice(SIGNUP_FIELDS), { least: 1 }),
    ['username*', 'email*', 'password1*', 'password2*'],
    'The fields of registration; a star means required. If no username is given, it is made from the address.',
  ),
  USERNAME_SKELETONS: setting(
    flag,
    false,
    'Refuse a new username that looks like an existing one, such as `аdmin` with a Cyrillic `а` beside `admin`.',
  ),
  EMAIL_CONFIRMATION_EXPIRE_DAYS: setting(
    positiveNumber(TEN_YEARS_IN_DAYS),
    3,
    'For how many days the link to confirm an address is valid.',
  ),
  REAUTHENTICATION_REQUIRED: setting(
    flag,
    false,
    'Let users change passwords, second factors, passkeys, connected accounts, addresses or logins only if they have recently proved who they are.',
  ),
  REAUTHENTICATION_TIMEOUT: setting(
    duration(),
    5 * MINUTE,
    'How long a login, or a proof by `reauthenticate/`, counts as recent.',
  ),
  NEW_DEVICE_MAIL: setting(
    flag,
    false,
    'Send users a mail when somebody logs in from a device that they have not used before.',
  ),
  DELETION: setting(flag, false, 'Let users delete their own account, with `account/delete/`.'),
  RATE_LIMITS: setting(
    rateLimits,
    defaultRateLimits,
    'Limits on failed logins, mails, sign-ups and other requests that need no login: `<count>/<period>/<ip|key|user>`, several with commas, `none` for no limit. Keys that are not given keep their default. See docs/limits.md.',
  ),
}

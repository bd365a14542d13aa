import {
  asItIs,
  carried,
  carriedPart,
  each,
  lasting,
  type Mapping,
  needless,
  OWN_CODE,
  onlyAs,
  ownCode,
  unless,
  whenOn,
} from './mapping.ts'
import { toList } from './python-values.ts'

const METHODS: ReadonlyMap<string, readonly string[]> = new Map([
  ['username', ['username']],
  ['email', ['email']],
  ['username_email', ['username', 'email']],
])

const methodsOf = (word: unknown): readonly string[] => METHODS.get(String(word)) ?? [String(word)]

const ALLAUTH = /^allauth\./

/** allauth's settings of accounts. Sign-up fields and limits have their own files. */
export const account: readonly Mapping[] = [
  ...asItIs(
    'ACCOUNT_LOGOUT_ON_GET',
    'ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS',
    'ACCOUNT_CONFIRM_EMAIL_ON_GET',
    'ACCOUNT_REAUTHENTICATION_REQUIRED',
    'ACCOUNT_LOGIN_BY_CODE_ENABLED',
  ),
  lasting('ACCOUNT_REAUTHENTICATION_TIMEOUT'),
  lasting('ACCOUNT_LOGIN_BY_CODE_TIMEOUT'),
  each('ACCOUNT_EMAIL_VERIFICATION', (value) => {
    // Very old projects say true or false.
    const word = value === true ? 'mandatory' : value === false ? 'optional' : value
    return [carried('ACCOUNT_EMAIL_VERIFICATION', word ?? 'none')]
  }),
  {
    from: ['ACCOUNT_LOGIN_METHODS', 'ACCOUNT_AUTHENTICATION_METHOD'],
    carry(dump) {
      const about = dump.has('ACCOUNT_LOGIN_METHODS')
        ? 'ACCOUNT_LOGIN_METHODS'
        : 'ACCOUNT_AUTHENTICATION_METHOD'
      if (!dump.has(about)) return []
      const given = new Set(toList(dump.get(about)).flatMap(methodsOf))
      return carriedPart(
        about,
        [...given],
        (method) => METHODS.has(method),
        'users can log in with a username or an address only',
        'ACCOUNT_LOGIN_METHODS',
      )
    },
  },
  ownCode(
    'ACCOUNT_ADAPTER',
    ALLAUTH,
    'set links with EMAIL_CONFIRM_URL and PASSWORD_RESET_URL, texts of mails with EMAIL_TEMPLATES_DIR, and close sign-up with MODULES',
  ),
  onlyAs(
    'ACCOUNT_UNIQUE_EMAIL',
    [true],
    'an address belongs to one account here; find accounts that share an address before you move',
  ),
  onlyAs(
    'ACCOUNT_PREVENT_ENUMERATION',
    [true, 'strict'],
    'answers never tell whether an account exists',
  ),
  onlyAs(
    'ACCOUNT_USER_MODEL_EMAIL_FIELD',
    ['email'],
    'the field is always called email in requests and answers',
  ),
  unless(
    'ACCOUNT_USERNAME_MIN_LENGTH',
    (value) => Number(value) <= 1,
    'usernames have no minimum length; check it in the front end',
  ),
  unless(
    'ACCOUNT_PASSWORD_MIN_LENGTH',
    (value) => Number(value) === 8,
    'a new password has at least 8 characters',
  ),
  whenOn(
    'ACCOUNT_USERNAME_BLACKLIST',
    'create these users as inactive, with "latchkey user create --inactive"',
  ),
  whenOn(
    'ACCOUNT_USERNAME_VALIDATORS',
    'usernames have letters, digits and @ . + - _, as in Django; your own rules are not carried over',
  ),
  whenOn('ACCOUNT_FORMS', OWN_CODE),
  ownCode(
    'ACCOUNT_SIGNUP_FORM_CLASS',
    ALLAUTH,
    'list its fields in ACCOUNT.SIGNUP_FIELDS and USER_FIELDS',
  ),
  whenOn('ACCOUNT_EMAIL_SUBJECT_PREFIX', 'write the subject in a file of EMAIL_TEMPLATES_DIR'),
  whenOn(
    'ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED',
    'users confirm an address with the link in the mail, not with a code',
  ),
  whenOn(
    'ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED',
    'users reset a password with the link in the mail, not with a code',
  ),
  whenOn('ACCOUNT_LOGIN_BY_CODE_REQUIRED', 'codes by mail are not a second factor here; use MFA'),
  whenOn(
    'ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION',
    'confirming an address does not log in; users log in afterwards',
  ),
  whenOn(
    'ACCOUNT_LOGIN_ON_PASSWORD_RESET',
    'a password reset does not log in; users log in afterwards',
  ),
  ...['ANONYMOUS', 'AUTHENTICATED'].map((who) =>
    whenOn(
      `ACCOUNT_EMAIL_CONFIRMATION_${who}_REDIRECT_URL`,
      'set EMAIL_CONFIRM_URL to a page of your front end that sends the key to registration/verify-email/',
    ),
  ),
  ownCode('ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR', ALLAUTH, "reset tokens look like Django's"),
  needless(`
    ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS ACCOUNT_LOGOUT_REDIRECT_URL ACCOUNT_SIGNUP_REDIRECT_URL
    ACCOUNT_DEFAULT_HTTP_PROTOCOL ACCOUNT_USER_DISPLAY ACCOUNT_EMAIL_CONFIRMATION_HMAC
    ACCOUNT_EMAIL_NOTIFICATIONS ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS ACCOUNT_SESSION_REMEMBER
    ACCOUNT_CHANGE_EMAIL ACCOUNT_MAX_EMAIL_ADDRESSES ACCOUNT_EMAIL_MAX_LENGTH
    ACCOUNT_TEMPLATE_EXTENSION ACCOUNT_PRESERVE_USERNAME_CASING ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE
    ACCOUNT_PASSWORD_INPUT_RENDER_VALUE ACCOUNT_SIGNUP_FORM_HONEYPOT_FIELD ACCOUNT_LOGIN_TIMEOUT
    ACCOUNT_LOGIN_BY_CODE_MAX_ATTEMPTS ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT
    ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT ACCOUNT_EMAIL_VERIFICATION_BY_CODE_MAX_ATTEMPTS
    ACCOUNT_PASSWORD_RESET_BY_CODE_MAX_ATTEMPTS ACCOUNT_SESSION_COOKIE_AGE
  `),
]

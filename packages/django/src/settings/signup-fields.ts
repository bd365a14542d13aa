import { isObject } from '../../../server/src/kernel/json-object.ts'
import { account } from '../../../server/src/settings/groups/account.ts'
import { carried, type Dump, isOff, isOn, type Mapped, type Mapping, noteIf } from './mapping.ts'
import { REGISTRATION_APPS } from './modules.ts'
import { toList } from './python-values.ts'

const NAME = 'ACCOUNT_SIGNUP_FIELDS'
const FORMER = ['ACCOUNT_EMAIL_REQUIRED', 'ACCOUNT_USERNAME_REQUIRED'] as const

/** allauth's forms have fields that registration here does not have. */
const isAsked = (field: string): boolean => 'value' in account.SIGNUP_FIELDS.kind.parse([field])

/**
 * By default allauth does not require an address, and we do. So the fields of registration are
 * written down for every project that uses allauth.
 */
export const signupFields: readonly Mapping[] = [
  {
    from: [
      NAME,
      ...FORMER,
      'ACCOUNT_USER_MODEL_USERNAME_FIELD',
      'ACCOUNT_SIGNUP_EMAIL_ENTER_TWICE',
      // The serializer of dj-rest-auth always asks for both passwords and ignores this setting.
      'ACCOUNT_SIGNUP_PASSWORD_ENTER_TWICE',
    ],
    carry: (dump) => (usesAllauth(dump) ? [...fieldsOf(dump), ...notesOn(dump)] : []),
  },
]

function usesAllauth(dump: Dump): boolean {
  const apps = dump.get('INSTALLED_APPS')
  if (apps !== undefined) return toList(apps).some((app) => REGISTRATION_APPS.includes(String(app)))
  return [...dump.keys()].some((name) => name.startsWith('ACCOUNT_'))
}

function fieldsOf(dump: Dump): readonly Mapped[] {
  const given = dump.has(NAME) ? namedFields(dump) : formerFields(dump)
  const known = withAName(given.filter(isAsked), dump)
  const passwords = ['password1*', 'password2*'].filter(
    (one) => !known.map(bare).includes(bare(one)),
  )
  return [carried(NAME, [...known, ...passwords])]
}

/** A list with stars, or an object such as `{"username": {"required": true}}`. */
function namedFields(dump: Dump): readonly string[] {
  const given = dump.get(NAME)
  if (!isObject(given)) return toList(given).map(String)
  return Object.entries(given).map(([field, options]) =>
    isObject(options) && isOn(options.required) ? `${field}*` : field,
  )
}

/** An account needs a name or an address, even if allauth requires neither. */
function withAName(fields: readonly string[], dump: Dump): readonly string[] {
  if (fields.includes('username*') || fields.includes('email*')) return fields
  const needed = needsEmail(dump) || !fields.includes('username') ? 'email' : 'username'
  return [`${needed}*`, ...fields.filter((field) => field !== needed)]
}

function formerFields(dump: Dump): readonly string[] {
  const hasUsername = !isNone(dump, 'ACCOUNT_USER_MODEL_USERNAME_FIELD')
  const needsUsername = hasUsername && !isNone(dump, 'ACCOUNT_USERNAME_REQUIRED')
  return [
    ...(hasUsername ? [needsUsername ? 'username*' : 'username'] : []),
    needsEmail(dump) || !needsUsername ? 'email*' : 'email',
  ]
}

/** An address is required if users must confirm it, or if they can log in with nothing else. */
function needsEmail(dump: Dump): boolean {
  const methods = toList(
    dump.get('ACCOUNT_LOGIN_METHODS') ?? dump.get('ACCOUNT_AUTHENTICATION_METHOD'),
  )
  return (
    isOn(dump.get('ACCOUNT_EMAIL_REQUIRED')) ||
    [true, 'mandatory'].includes(dump.get('ACCOUNT_EMAIL_VERIFICATION') as never) ||
    (methods.length === 1 && methods[0] === 'email')
  )
}

function notesOn(dump: Dump): readonly Mapped[] {
  const others = namedFields(dump).filter((field) => !isAsked(field))
  const isTwice =
    others.some((field) => bare(field) === 'email2') ||
    isOn(dump.get('ACCOUNT_SIGNUP_EMAIL_ENTER_TWICE'))
  const unknown = others.filter((field) => bare(field) !== 'email2')
  return [
    ...noteIf(
      isTwice,
      NAME,
      'registration takes the address once; compare the two in the front end',
    ),
    ...noteIf(
      unknown.length > 0,
      NAME,
      `to ask for ${unknown.map(bare).join(', ')} at registration, declare it in USER_FIELDS with "signup": true`,
    ),
  ]
}

const bare = (field: string): string => field.replace(/\*$/, '')

const isNone = (dump: Dump, name: string): boolean => dump.has(name) && isOff(dump.get(name))

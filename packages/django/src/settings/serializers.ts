import { factsOf } from './facts.ts'
import {
  carried,
  type Dump,
  each,
  isOff,
  type Mapped,
  type Mapping,
  note,
  OWN_CODE,
  ownCode,
} from './mapping.ts'

/** Python code that dj-rest-auth lets projects replace, and what to use here instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  LOGIN_SERIALIZER: 'ACCOUNT.LOGIN_METHODS says what users log in with',
  TOKEN_SERIALIZER: 'the answer is {"key"}; REST_AUTH.ANSWER_NAMES gives it another name',
  JWT_SERIALIZER:
    'the answer is {"access", "refresh", "user"}; REST_AUTH.ANSWER_NAMES gives them other names',
  JWT_SERIALIZER_WITH_EXPIRATION:
    'with REST_AUTH.JWT_AUTH_RETURN_EXPIRATION, the answer also says when the tokens expire',
  JWT_TOKEN_CLAIMS_SERIALIZER: 'SIMPLE_JWT.CLAIMS adds fields of the user to access tokens',
  USER_DETAILS_SERIALIZER:
    'list its fields in REST_AUTH.USER_DETAILS_SERIALIZER, {"fields": […], "editable": […]}, and declare your own in USER_FIELDS',
  PASSWORD_RESET_SERIALIZER:
    'PASSWORD_RESET_URL sets the link in the mail, and EMAIL_TEMPLATES_DIR its text',
  PASSWORD_RESET_CONFIRM_SERIALIZER: 'the fields are uid, token, new_password1 and new_password2',
  PASSWORD_CHANGE_SERIALIZER:
    'the fields are new_password1 and new_password2, and with REST_AUTH.OLD_PASSWORD_FIELD_ENABLED also old_password',
  REGISTER_SERIALIZER:
    'list its fields in ACCOUNT.SIGNUP_FIELDS, and declare your own in USER_FIELDS with "signup": true',
}

const CREATOR = 'REST_AUTH.TOKEN_CREATOR'

const PACKAGES = /^(?:dj_rest_auth|rest_auth|rest_framework_simplejwt)\./

const isOriginal = (path: unknown): boolean => isOff(path) || PACKAGES.test(String(path))

export const serializers: readonly Mapping[] = [
  ...Object.entries(INSTEAD).map(([key, instead]) =>
    ownCode(`REST_AUTH.${key}`, PACKAGES, instead),
  ),
  { from: [], carry: detailsWithoutUsername },
  each(CREATOR, (value) => {
    if (isOriginal(value)) return []
    // django-rest-knox makes a key for each login. Projects import its functions by a path of theirs.
    if (/knox/i.test(String(value))) {
      const lives =
        'its keys expire after REST_KNOX.TOKEN_TTL (10 hours); set TOKEN_LIFETIME to that'
      return [carried(CREATOR, 'per_login'), note(CREATOR, lives)]
    }
    const instead = 'if it makes a key for each login, set REST_AUTH.TOKEN_CREATOR to per_login'
    return [note(CREATOR, `${OWN_CODE}; ${instead}`)]
  }),
]

/** The serializer of dj-rest-auth leaves out what the user model does not have. */
function detailsWithoutUsername(dump: Dump): readonly Mapped[] {
  const about = 'REST_AUTH.USER_DETAILS_SERIALIZER'
  const { user } = factsOf(dump)
  const field = 'ACCOUNT_USER_MODEL_USERNAME_FIELD'
  const hasUsername = user
    ? user.fields.includes('username')
    : !dump.has(field) || !isOff(dump.get(field))
  if (hasUsername || !isOriginal(dump.get(about) ?? null)) return []
  const names = ['email', 'first_name', 'last_name']
  const fields = ['pk', ...names.filter((name) => user?.fields.includes(name) ?? true)]
  return [carried(about, { fields })]
}

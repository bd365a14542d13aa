import { isShared, SHORTEST_SHARED_KEY } from '../crypto/jwt/algorithms.ts'
import { authenticationClasses, classesOn, impersonationWays } from './authentication-classes.ts'
import { cookieRules } from './cookie-rules.ts'
import { CLASSES } from './groups/rest-framework.ts'
import { namesClash } from './kinds/answer-names.ts'
import { databaseFile, isServerDatabase } from './kinds/connection-urls.ts'
import { isKnownField, userDetailsMistake } from './kinds/user-details.ts'
import { languageRules } from './language-rules.ts'
import { pathRules } from './path-rules.ts'
import type { Rule, SettingName, Settings } from './settings.ts'
import { signupRules } from './signup-rules.ts'

/**
 * Skips a rule if one of its settings was already refused, because the rule would see the default
 * instead.
 */
export function brokenRules(
  settings: Settings,
  refused: ReadonlySet<SettingName> = new Set(),
): readonly string[] {
  return rules
    .filter(({ about }) => !about.some((name) => refused.has(name)))
    .flatMap(({ about: [first], broken, says }) => {
      const found = broken(settings) ?? false
      if (found === false) return []
      return `${first}: ${typeof says === 'string' ? says : says(String(found), settings)}`
    })
}

const SWITCHES = {
  token: 'REST_AUTH.TOKEN_MODEL',
  jwt: 'REST_AUTH.USE_JWT',
  session: 'REST_AUTH.SESSION_LOGIN',
} as const

/** A class that is switched off never authenticates anybody, so naming it is a mistake. */
const classRules = CLASSES.map(
  (name): Rule => ({
    about: ['REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES', SWITCHES[name]],
    broken: (settings) =>
      settings.REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES?.includes(name) === true &&
      !classesOn(settings).includes(name),
    says: `names ${name}, but ${SWITCHES[name]} is off; switch it on, or remove ${name} from the list`,
  }),
)

/** Claims that have a meaning of their own. */
const REGISTERED = ['token_type', 'jti', 'exp', 'iat', 'iss', 'aud', 'sub', 'nbf', 'sid', 'act']

/** Claims that only the service itself sets. */
export const ownClaims = ({ SIMPLE_JWT }: Pick<Settings, 'SIMPLE_JWT'>): readonly string[] => [
  ...REGISTERED,
  SIMPLE_JWT.USER_ID_CLAIM,
]

/** Settings that name fields of a user must agree with `USER_FIELDS`, which declares them. */
const userRules: readonly Rule[] = [
  {
    about: ['REST_AUTH.USER_DETAILS_SERIALIZER', 'USER_FIELDS'],
    broken: ({ REST_AUTH, USER_FIELDS }) =>
      userDetailsMistake({ details: REST_AUTH.USER_DETAILS_SERIALIZER, userFields: USER_FIELDS }),
    says: (mistake) => mistake,
  },
  {
    about: ['SIMPLE_JWT.CLAIMS', 'SIMPLE_JWT.USER_ID_CLAIM'],
    broken: (settings) =>
      Object.keys(settings.SIMPLE_JWT.CLAIMS).find((name) => ownClaims(settings).includes(name)),
    says: (claim) => `the claim ${claim} already has a meaning; choose another name`,
  },
  {
    about: ['SIMPLE_JWT.CLAIMS', 'USER_FIELDS'],
    broken: ({ SIMPLE_JWT: { CLAIMS }, USER_FIELDS }) =>
      Object.values(CLAIMS).find((field) => !isKnownField(field, USER_FIELDS)),
    says: (field) => `a claim names the field ${field}, but users have no such field`,
  },
  {
    // `sub` is allowed, since other services often read the user there.
    about: ['SIMPLE_JWT.USER_ID_CLAIM'],
    broken: ({ SIMPLE_JWT: { USER_ID_CLAIM } }) =>
      USER_ID_CLAIM !== 'sub' && REGISTERED.includes(USER_ID_CLAIM),
    says: 'is a claim that already has a meaning; choose another name',
  },
]

/** Otherwise users could make keys that no request can use, or could not do what they must. */
const keyRules: readonly Rule[] = [
  {
    about: ['MFA_REQUIRED', 'MODULES'],
    broken: ({ MFA_REQUIRED, MODULES }) => MFA_REQUIRED !== null && !MODULES.includes('mfa'),
    says: 'needs the module mfa, since nobody could set up a second factor without it',
  },
  {
    about: ['API_KEYS', 'REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES'],
    broken: (settings) => settings.API_KEYS && !authenticationClasses(settings).includes('token'),
    says: 'needs token in REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES, since keys are sent as Authorization: Token',
  },
]

/** A provider needs both keys, and the field of its answers a name of its own. */
const captchaRules: readonly Rule[] = [
  ...(['SITE_KEY', 'SECRET'] as const).map(
    (name): Rule => ({
      about: [`CAPTCHA.${name}`, 'CAPTCHA.PROVIDER'],
      broken: ({ CAPTCHA }) => CAPTCHA.PROVIDER !== null && CAPTCHA[name] === null,
      says: 'must be set, since CAPTCHA.PROVIDER is; the provider gives you both keys',
    }),
  ),
  {
    about: ['CAPTCHA.ON', 'CAPTCHA.PROVIDER', 'ACCOUNT.RATE_LIMITS'],
    broken: ({ CAPTCHA, ACCOUNT }) =>
      CAPTCHA.PROVIDER !== null &&
      CAPTCHA.ON.includes('login_after_failures') &&
      ACCOUNT.RATE_LIMITS.login_failed.length === 0,
    says: 'contains login_after_failures, but ACCOUNT.RATE_LIMITS.login_failed is none, so failures are not counted; set a rate, or leave it out',
  },
  {
    about: ['USER_FIELDS', 'CAPTCHA.PROVIDER'],
    broken: ({ USER_FIELDS, CAPTCHA }) =>
      CAPTCHA.PROVIDER !== null && Object.hasOwn(USER_FIELDS, 'captcha'),
    says: 'contains the field captcha, under which registration takes the answer to a captcha; choose another name',
  },
]

const rules: readonly Rule[] = [
  {
    about: ['REST_FRAMEWORK.NON_FIELD_ERRORS_KEY'],
    broken: ({ REST_FRAMEWORK }) => REST_FRAMEWORK.NON_FIELD_ERRORS_KEY === 'codes',
    says: 'cannot be codes: there, refusals have their codes for programs',
  },
  {
    about: ['SECRET_KEY', 'DATABASE_URL'],
    broken: ({ SECRET_KEY, DATABASE_URL }) => !SECRET_KEY && isServerDatabase(DATABASE_URL),
    says: 'must be set when PostgreSQL is used, to the same value for all instances; "openssl rand -hex 32" prints one',
  },
  {
    about: ['WORKERS', 'DATABASE_URL'],
    broken: ({ WORKERS, DATABASE_URL }) =>
      WORKERS !== 1 && !isServerDatabase(DATABASE_URL) && databaseFile(DATABASE_URL) === null,
    says: 'must be 1 with sqlite::memory:, since processes cannot share a database in memory; name a file',
  },
  {
    about: ['REST_AUTH.TOKEN_MODEL', 'REST_AUTH.USE_JWT', 'REST_AUTH.SESSION_LOGIN'],
    broken: ({ REST_AUTH: { TOKEN_MODEL, USE_JWT, SESSION_LOGIN } }) =>
      !TOKEN_MODEL && !USE_JWT && !SESSION_LOGIN,
    says: 'is off, and so are REST_AUTH.USE_JWT and REST_AUTH.SESSION_LOGIN, so nobody could log in; switch one of them on',
  },
  {
    about: ['SIMPLE_JWT.SIGNING_KEY', 'SIMPLE_JWT.ALGORITHM'],
    broken: ({ SIMPLE_JWT: { SIGNING_KEY, ALGORITHM } }) => !SIGNING_KEY && !isShared(ALGORITHM),
    says: 'must be set, since SIMPLE_JWT.ALGORITHM needs a private key; "latchkey keys generate" makes one',
  },
  {
    // Django projects sign with HS512 and a key of 50 characters. So only keys that can be guessed
    // are refused; `check --deploy` reports those that are shorter than the standard requires.
    about: ['SIMPLE_JWT.SIGNING_KEY', 'SIMPLE_JWT.ALGORITHM'],
    broken: ({ SIMPLE_JWT: { SIGNING_KEY, ALGORITHM } }) =>
      SIGNING_KEY !== null &&
      isShared(ALGORITHM) &&
      Buffer.byteLength(SIGNING_KEY) < SHORTEST_SHARED_KEY,
    says: `is shorter than ${SHORTEST_SHARED_KEY} bytes, so it could be guessed from a single token; use the output of "openssl rand -hex 32"`,
  },
  {
    about: ['SIMPLE_JWT.AUTH_HEADER_TYPES', 'REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES'],
    broken: (settings) =>
      (['token', 'jwt'] as const).every((one) => authenticationClasses(settings).includes(one)) &&
      settings.SIMPLE_JWT.AUTH_HEADER_TYPES.some((word) => word.toLowerCase() === 'token'),
    says: 'contains Token, which announces the key of REST_AUTH.TOKEN_MODEL; set that to none, or leave the word out',
  },
  ...pathRules,
  ...classRules,
  ...keyRules,
  {
    about: ['REST_AUTH.ANSWER_NAMES'],
    broken: ({ REST_AUTH: { ANSWER_NAMES } }) => namesClash(ANSWER_NAMES),
    says: 'gives the same name to two values of an answer; detail, ephemeral_token and mfa_required are already used',
  },
  {
    about: ['ADMIN_IMPERSONATION', 'REST_AUTH.USE_JWT', 'REST_AUTH.SESSION_LOGIN', 'MODULES'],
    broken: (settings) => {
      const { token, link } = impersonationWays(settings)
      return settings.ADMIN_IMPERSONATION && !token && !link
    },
    says: 'needs sessions and the module pages, or REST_AUTH.USE_JWT: a token key of a user cannot be lent; switch one of them on',
  },
  ...signupRules,
  ...captchaRules,
  ...cookieRules,
  ...userRules,
  ...languageRules,
]

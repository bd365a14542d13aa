import { isKnownField, userDetailsMistake } from './kinds/user-details.ts'
import type { Rule } from './rule.ts'
import type { Settings } from './settings.ts'

const detailsMistake = ({ REST_AUTH, USER_FIELDS }: Settings): string | null =>
  userDetailsMistake({ details: REST_AUTH.USER_DETAILS_SERIALIZER, userFields: USER_FIELDS })

/** Claims that already have a meaning. */
const REGISTERED = ['token_type', 'jti', 'exp', 'iat', 'iss', 'aud', 'sub', 'nbf', 'sid']

/** Claims that only the service itself sets. */
export const ownClaims = ({ SIMPLE_JWT }: Pick<Settings, 'SIMPLE_JWT'>): readonly string[] => [
  ...REGISTERED,
  SIMPLE_JWT.USER_ID_CLAIM,
]

const takenClaim = (settings: Settings): string | undefined =>
  Object.keys(settings.SIMPLE_JWT.CLAIMS).find((name) => ownClaims(settings).includes(name))

const emptyClaim = ({ SIMPLE_JWT: { CLAIMS }, USER_FIELDS }: Settings): string | undefined =>
  Object.values(CLAIMS).find((field) => !isKnownField(field, USER_FIELDS))

/** The fields of a user are declared in one setting and named in others. */
export const userRules: readonly Rule[] = [
  {
    about: ['REST_AUTH.USER_DETAILS_SERIALIZER', 'USER_FIELDS'],
    broken: (settings) => detailsMistake(settings) !== null,
    says: (settings) => detailsMistake(settings) ?? '',
  },
  {
    about: ['SIMPLE_JWT.CLAIMS', 'SIMPLE_JWT.USER_ID_CLAIM'],
    broken: (settings) => takenClaim(settings) !== undefined,
    says: (settings) =>
      `the claim ${takenClaim(settings)} already has a meaning; choose another name`,
  },
  {
    about: ['SIMPLE_JWT.CLAIMS', 'USER_FIELDS'],
    broken: (settings) => emptyClaim(settings) !== undefined,
    says: (settings) =>
      `a claim names the field ${emptyClaim(settings)}, but users have no such field`,
  },
  {
    // `sub` is allowed, since other services often read the user there.
    about: ['SIMPLE_JWT.USER_ID_CLAIM'],
    broken: ({ SIMPLE_JWT: { USER_ID_CLAIM } }) =>
      USER_ID_CLAIM !== 'sub' && REGISTERED.includes(USER_ID_CLAIM),
    says: 'is a claim that already has a meaning; choose another name',
  },
]

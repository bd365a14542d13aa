import { isKnownField, userDetailsMistake } from './kinds/user-details.ts'
import type { Rule } from './rule.ts'
import type { Settings } from './settings.ts'

const detailsMistake = ({ REST_AUTH, USER_FIELDS }: Settings): string | null =>
  userDetailsMistake({ details: REST_AUTH.USER_DETAILS_SERIALIZER, userFields: USER_FIELDS })

/** Claims with a meaning of their own. */
const REGISTERED = ['token_type', 'jti', 'exp', 'iat', 'iss', 'aud', 'sub', 'nbf', 'sid']

const takenClaim = ({ SIMPLE_JWT: { CLAIMS, USER_ID_CLAIM } }: Settings): string | undefined =>
  Object.keys(CLAIMS).find((name) => [...REGISTERED, USER_ID_CLAIM].includes(name))

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
      `the claim ${takenClaim(settings)} has a meaning already; choose another name`,
  },
  {
    about: ['SIMPLE_JWT.CLAIMS', 'USER_FIELDS'],
    broken: (settings) => emptyClaim(settings) !== undefined,
    says: (settings) =>
      `there is no field ${emptyClaim(settings)} of a user that a claim could hold`,
  },
  {
    // Other services may well have it in `sub`.
    about: ['SIMPLE_JWT.USER_ID_CLAIM'],
    broken: ({ SIMPLE_JWT: { USER_ID_CLAIM } }) =>
      USER_ID_CLAIM !== 'sub' && REGISTERED.includes(USER_ID_CLAIM),
    says: 'is a claim with a meaning of its own; choose another name',
  },
]

import { userDetailsMistake } from './kinds/user-details.ts'
import type { Rule } from './rule.ts'
import type { Settings } from './settings.ts'

const detailsMistake = ({ REST_AUTH, USER_FIELDS }: Settings): string | null =>
  userDetailsMistake({ details: REST_AUTH.USER_DETAILS_SERIALIZER, userFields: USER_FIELDS })

/** The fields of a user are declared in one setting and named in others. */
export const userRules: readonly Rule[] = [
  {
    about: ['REST_AUTH.USER_DETAILS_SERIALIZER', 'USER_FIELDS'],
    broken: (settings) => detailsMistake(settings) !== null,
    says: (settings) => detailsMistake(settings) ?? '',
  },
]

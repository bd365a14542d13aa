import type { HookUser } from '../../core/hooks.ts'
import { BUILT_IN } from '../../settings/kinds/user-details.ts'
import type { Settings } from '../../settings/settings.ts'
import type { User } from '../../storage/schema.ts'
import { userReader, type Values } from './user-values.ts'

export type AsHookUser = (user: User) => HookUser

/** Every field that all users have, once: `id` is another name of `pk`. */
export const PROFILE = BUILT_IN.filter((name) => name !== 'id')

export const readProfile = userReader(
  PROFILE.map((name) => ({ name, source: name })),
  {},
) as (user: User) => Omit<HookUser, 'fields'>

/** The user as hooks see them: all fields, and no secret. */
export function createAsHookUser({ USER_FIELDS }: Pick<Settings, 'USER_FIELDS'>): AsHookUser {
  const names = Object.keys(USER_FIELDS)
  const readFields = userReader(
    names.map((name) => ({ name, source: name })),
    USER_FIELDS,
  )
  return (user) => ({ ...readProfile(user), fields: readFields(user) as Values })
}

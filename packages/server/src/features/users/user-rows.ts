import { isUsername, nameKey, normalizeUsername, searchKey } from '../../kernel/names.ts'
import { fault, fieldProblem } from '../../kernel/problems.ts'
import { randomUuid } from '../../kernel/random.ts'
import { flagOf } from '../../storage/schema.ts'
import type { Context } from '../feature.ts'
import { loadSkeletonOf } from './usernames.ts'
import type { NewUser } from './users-queries.ts'

export type AccountDetails = {
  username: string
  /** Empty if there is none. */
  email: string
  /** A hash, or unusable. Nothing here hashes, since it may run in a transaction. */
  password: string
  verified: boolean
  active: boolean
  first_name?: string
  last_name?: string
  language?: string | null
}

/** What users themselves change. */
export type UserDetails = Partial<
  Pick<AccountDetails, 'username' | 'first_name' | 'last_name' | 'language'>
>

/** The address is in the form of `nameKey`. An empty text stands for none. */
export const addressColumns = (email: string, verified: boolean) => ({
  email,
  email_key: email === '' ? null : email,
  email_verified: flagOf(verified && email !== ''),
})

/** The folded copies of the names that are given. */
export const nameKeys = ({ first_name, last_name }: UserDetails) => ({
  ...(first_name !== undefined && { first_name_key: searchKey(first_name) }),
  ...(last_name !== undefined && { last_name_key: searchKey(last_name) }),
})

/** The columns of a new user, and those that a new name changes. */
export function createUserRows({ clock, settings }: Pick<Context, 'clock' | 'settings'>) {
  const hasSkeletons = settings.ACCOUNT.USERNAME_SKELETONS
  const hasUuids = settings.USER_PK === 'uuid'

  return { usernameColumns, rowOf }

  async function usernameColumns(username: string) {
    const normal = normalizeUsername(username)
    if (!isUsername(normal)) throw fieldProblem({ username: [fault('username_invalid')] })
    return {
      username: normal,
      username_key: nameKey(normal),
      username_skeleton: hasSkeletons ? (await loadSkeletonOf())(normal) : null,
    }
  }

  async function rowOf({
    username,
    email,
    verified,
    active,
    ...rest
  }: AccountDetails): Promise<NewUser> {
    return {
      uuid: hasUuids ? randomUuid() : null,
      first_name: '',
      last_name: '',
      ...rest,
      ...nameKeys(rest),
      ...(await usernameColumns(username)),
      ...addressColumns(nameKey(email), verified),
      is_active: flagOf(active),
      joined_at: clock.now(),
      last_login_at: null,
    }
  }
}

import { isUsername, nameKey, normalizeUsername } from '../../kernel/names.ts'
import { fault, fieldProblem } from '../../kernel/problems.ts'
import { randomUuid } from '../../kernel/random.ts'
import { skeletonOf } from '../../kernel/skeleton.ts'
import type { Context } from '../feature.ts'
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
}

/** The columns of a new user, and those that a new name changes. */
export function createUserRows({ clock, settings }: Pick<Context, 'clock' | 'settings'>) {
  const hasSkeletons = settings.ACCOUNT.USERNAME_SKELETONS
  const hasUuids = settings.USER_PK === 'uuid'

  return { usernameColumns, rowOf }

  function usernameColumns(username: string) {
    const normal = normalizeUsername(username)
    if (!isUsername(normal)) throw fieldProblem({ username: [fault('username_invalid')] })
    return {
      username: normal,
      username_key: nameKey(normal),
      username_skeleton: hasSkeletons ? skeletonOf(normal) : null,
    }
  }

  function rowOf({ username, email, verified, active, ...rest }: AccountDetails): NewUser {
    const address = email === '' ? '' : nameKey(email)
    return {
      uuid: hasUuids ? randomUuid() : null,
      first_name: '',
      last_name: '',
      ...rest,
      ...usernameColumns(username),
      email: address,
      email_key: address === '' ? null : address,
      email_verified: verified ? 1 : 0,
      is_active: active ? 1 : 0,
      joined_at: clock.now(),
      last_login_at: null,
    }
  }
}

import { problem } from '../../kernel/problems.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { hasOtherSuperuser, listSuperusers, lockSuperusers } from './users-queries.ts'

/**
 * Refuses if the user, whose row is locked, is the last active superuser. Two of them who are removed
 * at the same time wait for one lock, and the second is refused.
 */
export async function keepSuperuser(user: User, tx: Tx): Promise<void> {
  if (await isLastSuperuser(user, tx)) throw problem('last_superuser')
}

/** The answer is true until the end of the transaction, since no other one can remove a superuser. */
export async function isLastSuperuser(user: User, tx: Tx): Promise<boolean> {
  if (!user.is_superuser || !user.is_active) return false
  await lockSuperusers(tx)
  return !(await hasOtherSuperuser(tx, user.id))
}

export const activeSuperusers = (most: number, within: Handle): Promise<User[]> =>
  listSuperusers(within, most)

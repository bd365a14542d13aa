import { problem } from '../../problems.ts'
import type { User } from '../../storage/schema.ts'
import type { Stores } from '../../stores.ts'

/**
 * The user as he is now; nobody else changes him until the transaction ends. For whatever adds a
 * way in: a request that was let in before a new password, a deactivation or a deletion must not
 * leave behind what they were meant to end.
 */
export async function stillSignedIn({ id, epoch }: User, tx: Stores): Promise<User> {
  const current = await tx.users.lock(id)
  if (!current?.is_active || current.epoch !== epoch) throw problem('not_authenticated')
  return current
}

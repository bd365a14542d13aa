import { isUsablePassword } from '../../crypto/password-hash/password-hasher.ts'
import type { User } from '../../storage/schema.ts'
import type { Stores } from '../../stores.ts'

/** Whether a user could log in by one particular means. */
type WayIn = (user: User, stores: Stores) => Promise<boolean>

/** Every way there is; whoever builds another adds it here. */
const ways: readonly WayIn[] = [
  async ({ password }) => isUsablePassword(password),
  ({ id }, { passkeys }) => passkeys.isAnyOfUser(id),
  ({ id }, { socialAccounts }) => socialAccounts.isAnyOfUser(id),
]

/** Asked, within the transaction that takes one away, before it is too late. */
export async function hasWayIn(user: User, stores: Stores): Promise<boolean> {
  for (const isOpen of ways) if (await isOpen(user, stores)) return true
  return false
}

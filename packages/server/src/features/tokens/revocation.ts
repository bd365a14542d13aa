import type { Stores } from '../../stores.ts'
import type { Identity } from '../users/identity.ts'

// The user comes first in each: it is the first lock of a login, too, and whoever takes locks in
// another order may wait for a login that waits for him.

/** Every credential of a user, on every device: token, sessions, refresh families. */
export async function revokeEverything(stores: Stores, userId: number, now: number): Promise<void> {
  await stores.users.noteRevocation(userId, now)
  await stores.tokens.removeOfUser(userId)
  await stores.logins.endAllOfUser(userId)
}

/** Every login but the one in use; the API token stays. */
export async function revokeOtherLogins(
  stores: Stores,
  userId: number,
  keptLoginId: number | null,
  now: number,
): Promise<void> {
  await stores.users.noteRevocation(userId, now)
  await stores.logins.endOthersOfUser(userId, keptLoginId)
}

/** Everything but the credential in use: the API token as well, unless it is the one. */
export async function revokeOtherCredentials(
  stores: Stores,
  { user, via, loginId }: Identity,
  now: number,
): Promise<void> {
  await revokeOtherLogins(stores, user.id, loginId, now)
  if (via !== 'token') await stores.tokens.removeOfUser(user.id)
}

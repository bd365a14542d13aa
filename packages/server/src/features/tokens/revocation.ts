import type { Stores } from '../../stores.ts'

/**
 * The user comes first, and with that his row is held: a login that is under way is either seen
 * and ended, or comes after it.
 */

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

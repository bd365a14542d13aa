import type { Stores } from '../../stores.ts'

/** Every credential of a user, on every device: token, sessions, refresh families. */
export async function revokeEverything(stores: Stores, userId: number, now: number): Promise<void> {
  await stores.tokens.removeOfUser(userId)
  await stores.logins.endAllOfUser(userId)
  await stores.users.noteRevocation(userId, now)
}

/** Every login but the one in use; the API token stays. */
export async function revokeOtherLogins(
  stores: Stores,
  userId: number,
  keptLoginId: number | null,
  now: number,
): Promise<void> {
  await stores.logins.endOthersOfUser(userId, keptLoginId)
  await stores.users.noteRevocation(userId, now)
}

import { auth } from '../auth.ts'
import { isMarked, triedQuietly } from '../passkeys.ts'
import { passedOn } from '../router.tsx'

/** Marks a browser whose user wants no such offer. */
const DECLINED = 'latchkey-no-passkey-offer'

/**
 * Whether to offer a passkey first of all: after a login with a password, to a user who has none, and for
 * whom the browser has not just added one.
 */
export async function isOfferDue(): Promise<boolean> {
  if (passedOn('by') !== 'password' || !auth.passkeys.isSupported() || isMarked(DECLINED))
    return false
  await triedQuietly()
  return (await auth.passkeys.list()).length === 0
}

export function declineOffer(): void {
  try {
    localStorage.setItem(DECLINED, 'yes')
  } catch {
    // It is full. The offer is gone until the next login.
  }
}

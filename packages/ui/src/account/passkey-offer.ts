import { auth } from '../auth.ts'
import { addsQuietly } from '../passkeys.ts'
import { passedOn } from '../router.tsx'

/** Marks a browser whose user wants no such offer. */
const DECLINED = 'latchkey-no-passkey-offer'

/**
 * Whether to offer a passkey first of all: after a login with a password, to a user who has none, in a
 * browser that adds none by itself.
 */
export async function isOfferDue(): Promise<boolean> {
  if (passedOn('by') !== 'password' || !auth.passkeys.isSupported() || isDeclined()) return false
  if (await addsQuietly()) return false
  return (await auth.passkeys.list()).length === 0
}

/** Without a storage, the offer would come again after every login. */
function isDeclined(): boolean {
  try {
    return localStorage.getItem(DECLINED) !== null
  } catch {
    return true
  }
}

export function declineOffer(): void {
  try {
    localStorage.setItem(DECLINED, 'yes')
  } catch {
    // It is full. The offer is gone until the next login.
  }
}

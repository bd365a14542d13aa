import { auth } from '../auth.ts'
import { facts, hasModule } from '../facts.ts'
import { isMarked, triedQuietly } from '../passkeys.ts'
import { passedOn } from '../router.tsx'

/** Marks a browser whose user wants no such offer. */
const DECLINED = 'latchkey-no-passkey-offer'

/** How long the page waits for a browser that may add a passkey quietly. Most refuse at once. */
const DECIDES_MS = 300

/**
 * Whether to offer a passkey first of all: after a login with a password, to a user who may add one, who
 * has none, and for whom the browser has not just added one. If the browser still tries a moment after
 * the user is `known`, the page neither waits for it nor offers one.
 */
export async function isOfferDue(known: Promise<unknown>): Promise<boolean> {
  const isPossible = hasModule('passkeys') && auth.passkeys.isSupported()
  if (!isPossible || passedOn('by') !== 'password' || isMarked(DECLINED)) return false
  const tooLate = known.then(() => new Promise((done) => setTimeout(done, DECIDES_MS)))
  const hasTried = await Promise.race([triedQuietly().then(() => true), tooLate])
  if (!hasTried) return false
  const [passkeys, { email, verified }] = await Promise.all([
    auth.passkeys.list(),
    auth.email.get(),
  ])
  return passkeys.length === 0 && (verified || email === '' || !facts.addressFirst)
}

export function declineOffer(): void {
  try {
    localStorage.setItem(DECLINED, 'yes')
  } catch {
    // It is full. The offer is gone until the next login.
  }
}

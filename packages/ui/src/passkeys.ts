import { thisDevice } from './account/device-name.ts'
import { auth } from './auth.ts'
import { facts } from './facts.ts'

type Proof = Awaited<ReturnType<typeof auth.passkeys.prove>>

/** Lets the browser propose passkeys in the field for the name. Returns how to stop that. */
export function offerPasskeys(then: (proof: Proof) => void): () => void {
  const stop = new AbortController()
  offer(stop.signal).then((proof) => proof && then(proof), ignore)
  return () => stop.abort()
}

async function offer(signal: AbortSignal): Promise<Proof | null> {
  if (!(await auth.passkeys.canAutofill())) return null
  return auth.passkeys.prove({ autofill: true, signal })
}

/** Longer than a browser needs if it has just filled in the password. */
const QUIETLY_MS = 1500

/** Marks a browser that says it can add passkeys quietly, and then does not answer. */
const SILENT = 'latchkey-silent-on-passkeys'

let attempt: Promise<void> = Promise.resolve()

/** Lets the browser add a passkey without asking, after a login with a password. */
export function addQuietly(): Promise<void> {
  attempt = tryQuietly()
  return attempt
}

/** Waits until the browser has added a passkey quietly, or has not. */
export const triedQuietly = (): Promise<void> => attempt

/** A browser that stayed silent is not asked again. */
async function tryQuietly(): Promise<void> {
  if (!facts.quietPasskeys || isMarked(SILENT) || !(await auth.passkeys.canCreateQuietly())) return
  const stop = new AbortController()
  const timer = setTimeout(() => {
    // A full storage refuses the next line.
    stop.abort()
    localStorage.setItem(SILENT, 'yes')
  }, QUIETLY_MS)
  await auth.passkeys
    .register({ name: thisDevice(), conditional: true, signal: stop.signal })
    .catch(ignore)
  clearTimeout(timer)
}

/** Without a storage, every mark counts as set: otherwise the user would be asked every time. */
export function isMarked(mark: string): boolean {
  try {
    return localStorage.getItem(mark) !== null
  } catch {
    return true
  }
}

/** It was only an offer. The form is still there. */
const ignore = () => {}

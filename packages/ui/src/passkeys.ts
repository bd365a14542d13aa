import type { SignedIn } from 'latchkey-client'
import { auth } from './auth.ts'

/** Lets the browser propose passkeys in the field for the name. Returns how to stop that. */
export function offerPasskeys(then: (answer: SignedIn) => void): () => void {
  const stop = new AbortController()
  offer(stop.signal).then((answer) => answer && then(answer), ignore)
  return () => stop.abort()
}

async function offer(signal: AbortSignal): Promise<SignedIn | null> {
  if (!(await auth.passkeys.canAutofill())) return null
  return auth.passkeys.login({ autofill: true, signal })
}

/** It was only an offer. The form is still there. */
const ignore = () => {}

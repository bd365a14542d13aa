import { type Mode, usesCookies } from './credentials.ts'
import type { Keep, State } from './keep-login.ts'

type Needs<User> = { mode: Mode; keep: Keep<User>; askForUser: () => Promise<unknown> }

/** Asks who is signed in. Calls at the same time share one answer. */
export function createRestore<User>({ mode, keep, askForUser }: Needs<User>) {
  let pending: Promise<State<User>> | undefined

  async function restore(): Promise<State<User>> {
    try {
      // The cookies are not readable here, so only the service knows.
      const isPossible = usesCookies(mode) || (await keep.read())
      await (isPossible ? askForUser() : keep.end(null, 'refused'))
    } catch (error) {
      if (keep.state().status !== 'signed-out') keep.become({ error })
    }
    return keep.state()
  }

  return () => {
    pending ??= restore().finally(() => {
      pending = undefined
    })
    return pending
  }
}

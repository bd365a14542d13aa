import { type Mode, usesCookies } from './credentials.ts'
import type { Keep, State } from './keep-login.ts'

type Needs<User> = { mode: Mode; keep: Keep<User>; askForUser: () => Promise<unknown> }

/** Finds out who is signed in; all who want to know at the same time share one answer. */
export function createRestore<User>({ mode, keep, askForUser }: Needs<User>) {
  let pending: Promise<State<User>> | undefined

  async function restore(): Promise<State<User>> {
    // Cookies cannot be seen from here: there, only the service knows.
    const isPossible = usesCookies(mode) || (await keep.read())
    try {
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

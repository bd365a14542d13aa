import { isLoginRefused } from './auth-error.ts'
import type { Keep, State } from './keep-login.ts'
import { oneAtATime } from './one-at-a-time.ts'

type Needs<User> = { cookies: boolean; keep: Keep<User>; askForUser: () => Promise<unknown> }

/** Asks who is signed in. Calls at the same time share one answer. */
export function createRestore<User>({ cookies, keep, askForUser }: Needs<User>) {
  async function restore(triesLeft = 2): Promise<State<User>> {
    const before = keep.state()
    let error: unknown
    try {
      // The cookies are not readable here, so only the service knows.
      const isPossible = cookies || (await keep.read())
      await (isPossible ? askForUser() : keep.end(null, 'refused'))
    } catch (caught) {
      error = caught
    }
    const now = keep.state()
    if (now.status !== 'signed-out') {
      // If a login has begun in the meantime, here or in another tab, the answer was not about it.
      const isOutdated = error ? now !== before || isLoginRefused(error) : !now.user
      if (isOutdated && triesLeft) return restore(triesLeft - 1)
      if (error) keep.become({ error })
    }
    return keep.state()
  }

  return oneAtATime(() => restore())
}

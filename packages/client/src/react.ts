import { useEffect, useSyncExternalStore } from 'react'
import type { AuthClient } from './auth-client.ts'
import type { State } from './keep-login.ts'

/**
 * Who is signed in. The component renders again at every change, in other tabs too. There is no
 * provider: create the client once, outside of components.
 */
export function useAuth<User>(client: AuthClient<User>): State<User> {
  const { onChange } = client
  const now = () => client.state
  const state = useSyncExternalStore(onChange, now, 'document' in globalThis ? unknown : now)

  const isOpen = lacksUser(state)
  useEffect(() => {
    // Right after hydration, the client may know more than the server did.
    if (isOpen && lacksUser(client.state)) void client.restore()
  }, [client, isOpen])
  return state
}

const lacksUser = ({ status, user, error }: State<unknown>): boolean =>
  status !== 'signed-out' && user === undefined && error === undefined

const UNKNOWN = { status: 'unknown', user: undefined, error: undefined } as const

/** What the server has rendered. Hydration begins with the same, whatever the page knows by then. */
const unknown = () => UNKNOWN

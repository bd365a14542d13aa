import type { Caller } from './modes.ts'

export type ListedLogin = {
  id: string
  method: string | null
  created_at: string
  last_used_at: string
  expires_at: string | null
  address: string | null
  user_agent: string | null
  current: boolean
}

/** What the holder of a credential sees. */
export async function loginsOf(caller: Pick<Caller, 'get'>): Promise<ListedLogin[]> {
  const { body, status } = await caller.get('sessions/')
  if (status !== 200) throw new Error(`sessions/ answered ${status} ${JSON.stringify(body)}`)
  return body as ListedLogin[]
}

export async function currentLogin(caller: Pick<Caller, 'get'>): Promise<ListedLogin> {
  const current = (await loginsOf(caller)).filter((login) => login.current)
  if (current.length !== 1 || !current[0]) throw new Error(`${current.length} logins are current.`)
  return current[0]
}

export const isSignedIn = async (caller: Pick<Caller, 'get'>): Promise<boolean> => {
  const { status } = await caller.get('user/')
  if (status !== 200 && status !== 401) throw new Error(`user/ answered ${status}`)
  return status === 200
}

export const browserNamed = (userAgent: string) => ({ headers: { 'user-agent': userAgent } })

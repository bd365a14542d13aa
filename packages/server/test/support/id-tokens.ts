import type { AtTheEnd } from './database-folder.ts'
import { startHostileProvider } from './hostile-provider.ts'
import { startAuth } from './start-auth.ts'

type Idp = Awaited<ReturnType<typeof startHostileProvider>>
type Forged = Parameters<Idp['idToken']> extends [unknown, ...infer Rest] ? Rest : never

/** A service that knows a provider, and ID tokens of this provider, good or forged. */
export async function startWithIdTokens(more: Record<string, unknown> = {}, atTheEnd?: AtTheEnd) {
  const idp = await startHostileProvider(atTheEnd)
  const auth = await startAuth(idp.settings(more), { ...(atTheEnd && { atTheEnd }) })
  return { ...auth, idp, token: (...forged: Forged) => idp.idToken(auth.clock, ...forged) }
}

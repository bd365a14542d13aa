import { createClient, type SignedIn } from 'latchkey-client'
import { facts } from './facts.ts'
import { goOn, goTo } from './router.tsx'

const keepsCookies = facts.credential === 'session' || facts.credential === 'jwt-cookie'

/**
 * The service, in the mode that it runs in. A credential that is no cookie is kept by the tab: it
 * survives a reload, and is gone when the tab is closed.
 */
export const auth = createClient({
  url: facts.api,
  mode: facts.credential,
  ...(!keepsCookies && { storage: sessionStorage }),
  ...facts.errorNames,
})

/** Where any login goes on: to the second step, if there is one. */
export function continueAfter(answer: SignedIn): void {
  if (answer.mfa_required) goTo('two-factor', { token: answer.ephemeral_token })
  else goOn()
}

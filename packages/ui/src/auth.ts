import { createClient, type SignedIn } from 'latchkey-client'
import { facts } from './facts.ts'
import { goTo } from './router.tsx'
import { language } from './words.ts'

const keepsCookies = facts.credential === 'session' || facts.credential === 'jwt-cookie'

/**
 * The client, in the mode of the service. A credential that is not a cookie is kept by the tab: it
 * survives a reload and ends with the tab.
 */
export const auth = createClient({
  url: facts.api,
  mode: facts.credential,
  ...(!keepsCookies && { storage: sessionStorage }),
  csrfCookie: facts.csrfCookie,
  language,
  ...facts.errorNames,
  ...(facts.admin && { storageKey: facts.admin.storageKey }),
})

/** What follows every login: the second step if there is one, then the page that was asked for. */
export function continueAfter(answer: SignedIn, next = facts.next): void {
  if (answer.mfa_required) goTo('two-factor', { token: answer.ephemeral_token, next: next ?? '' })
  else if (next !== null) location.assign(next)
  else goTo('')
}

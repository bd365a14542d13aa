import { createClient, type SignedIn } from 'latchkey-client'
import { facts } from './facts.ts'
import { goTo } from './router.tsx'
import { language } from './words.ts'

const keepsCookies = facts.credential === 'session' || facts.credential === 'jwt-cookie'
const storage = keepsCookies ? undefined : storageOfTab()

/** Whether a login would be useless, since the browser keeps no cookies. */
export const lacksCookies =
  (keepsCookies || facts.clientOptions?.cookies) && !navigator.cookieEnabled

/**
 * The client, in the mode of the service. A credential that is not a cookie is kept by the tab: it
 * survives a reload and ends with the tab. If the visitor forbids that, it ends with the page.
 */
export const auth = createClient({
  url: facts.api,
  mode: facts.credential,
  ...(storage && { storage }),
  csrfCookie: facts.csrfCookie,
  language,
  ...facts.errorNames,
  ...facts.clientOptions,
  ...(facts.admin && { storageKey: facts.admin.storageKey }),
})

function storageOfTab(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}

/**
 * What follows every login: the second step if there is one, then the page that was asked for. The
 * account page offers a passkey to those who came `by` their password.
 */
export async function continueAfter(answer: SignedIn, by = ''): Promise<void> {
  const { next } = facts
  if (answer.mfa_required) return goTo('two-factor', { token: answer.ephemeral_token, by })
  if (next === null) return goTo('', { by })
  const { user } = await auth.restore()
  if (!user?.mfa_setup_required) return location.assign(next)
  // Until they have set up a second factor, the login is of no use there. The account page goes on.
  goTo('', {}, { next })
}

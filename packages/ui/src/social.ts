import { encode } from '../../client/src/base64-url.ts'
import type { ProviderFacts } from '../../server/src/kernel/page-facts.ts'
import { facts } from './facts.ts'
import { say } from './words.ts'

/** What this tab remembers of a redirect until the provider sends it back. */
type Redirect = {
  provider: string
  purpose: 'login' | 'connect'
  nonce: string
  verifier: string
  next: string | null
  /** Who connects the provider; empty for a login. */
  user: string
  /** The key of the invitation, if the login may open an account by it. */
  invitation?: string
}

const keyOf = (state: string): string => `latchkey:redirect:${state}`

/**
 * Goes to a provider. The state ties the answer to this tab, the nonce ties the ID token to this
 * login, and the verifier (PKCE) ties the code to this request. Returns what is in the way, or an
 * empty text.
 */
export async function startRedirect(
  provider: ProviderFacts,
  purpose: Redirect['purpose'],
  user = '',
): Promise<string> {
  const [state, nonce, verifier] = [random(), random(), random()]
  const redirect: Redirect = {
    provider: provider.name,
    purpose,
    nonce,
    verifier,
    next: facts.next,
    user,
    ...(facts.invitation && { invitation: facts.invitation.key }),
  }
  try {
    sessionStorage.setItem(keyOf(state), JSON.stringify(redirect))
  } catch {
    // A browser that blocks cookies has no storage, either.
    return say('login.noCookies')
  }
  const query = new URLSearchParams({ state, nonce, code_challenge: await challengeOf(verifier) })
  location.assign(`${facts.pages}go/${provider.name}?${query}`)
  return ''
}

/** The redirect that an answer belongs to. Null if this tab did not ask, or has had the answer. */
export function takeRedirect(provider: string, state: string): Redirect | null {
  const kept = sessionStorage.getItem(keyOf(state))
  sessionStorage.removeItem(keyOf(state))
  const redirect = JSON.parse(kept ?? 'null') as Redirect | null
  return redirect?.provider === provider ? redirect : null
}

/** What the service exchanges for an identity. */
export const proofOf = (
  { pkce, nonce, name }: ProviderFacts,
  redirect: Redirect,
  code: string,
) => ({
  code,
  redirect_uri: `${location.origin}${facts.pages}callback/${name}`,
  ...(pkce && { code_verifier: redirect.verifier }),
  ...(nonce && { nonce: redirect.nonce }),
})

const random = (): string => encode(crypto.getRandomValues(new Uint8Array(32)).buffer)

const challengeOf = async (verifier: string): Promise<string> =>
  encode(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))

import { problem } from '../../kernel/problems.ts'
import type { ProviderClient } from './provider-client.ts'

/** What the browser has made and keeps, to recognise the answer. */
export type RedirectProof = { state: string; nonce: string; challenge: string }

/** Where a page sends people to log in with a provider. They come back to `pageUrl` with a code. */
export async function authorizeUrl(
  { config, pageUrl, whereabouts }: ProviderClient,
  { state, nonce, challenge }: RedirectProof,
): Promise<string> {
  const { endpoints } = await whereabouts()
  const back = pageUrl()
  if (!endpoints.authorize || back === null) throw problem('not_found')
  const { pkce = true, nonce: hasNonce = true, responseMode } = config.provider.redirect ?? {}
  const url = new URL(endpoints.authorize)
  const query = {
    ...config.authParams,
    response_type: 'code',
    client_id: config.apps[0].clientId,
    redirect_uri: back,
    scope: config.scopes.join(' '),
    state,
    ...(responseMode && { response_mode: responseMode }),
    ...(hasNonce && { nonce }),
    ...(pkce && { code_challenge: challenge, code_challenge_method: 'S256' }),
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

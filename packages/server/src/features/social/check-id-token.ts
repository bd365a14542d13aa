import { loadIdTokens } from '../../crypto/id-token/load-id-tokens.ts'
import type { IdToken } from '../../crypto/id-token/verify-id-token.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Refuse } from './credentials.ts'
import type { ProviderClient } from './provider-client.ts'

type Given = { idToken: string; nonce: string }

export async function checkIdToken(
  client: ProviderClient,
  { idToken, nonce }: Given,
  { clock, refuse }: { clock: Clock; refuse: Refuse },
): Promise<IdToken> {
  const { verifyIdToken } = await loadIdTokens()
  const { issuers } = await client.whereabouts()
  const clientIds = client.config.apps.map((app) => app.clientId)
  const rules = { issuers, clientIds, now: clock.now() }

  const keys = await client.keys.get()
  let result = await verifyIdToken(idToken, keys, rules)
  if ('refusal' in result && result.isKeyUnknown) {
    const newer = await client.keys.refresh(keys)
    if (newer) result = await verifyIdToken(idToken, newer, rules)
  }
  if ('refusal' in result) throw refuse(`the ID token: ${result.refusal}`)
  if (nonce !== '' && result.token.claims.nonce !== nonce) {
    throw refuse('the ID token: it was made for another nonce')
  }
  return result.token
}

import { digest } from '../../crypto/digest.ts'
import { MINUTE, SECOND } from '../../kernel/clock.ts'
import { problem } from '../../problems.ts'
import type { ProvenIdentity } from './prove-identity.ts'
import type { SpentProofsStore } from './spent-proofs-store.ts'

/** As long as clocks may differ. */
const LEEWAY = MINUTE

/** An ID token, and the nonce that it was asked for with, is good for one login, until it expires. */
export async function spendIdToken(
  { provider, idToken }: ProvenIdentity,
  nonce: string,
  store: SpentProofsStore,
): Promise<void> {
  if (!idToken) return
  // The time is the issuer's, and could be anything that is a number.
  const expiresAt = Math.min(idToken.claims.exp * SECOND + LEEWAY, Number.MAX_SAFE_INTEGER)
  const proofs = [
    `id_token:${idToken.signedPart}`,
    ...(nonce === '' ? [] : [`nonce:${provider}:${nonce}`]),
  ]
  for (const proof of proofs) {
    const isFirst = await store.spend(digest(proof), Math.ceil(expiresAt))
    if (!isFirst) throw problem('social_proof_refused')
  }
}

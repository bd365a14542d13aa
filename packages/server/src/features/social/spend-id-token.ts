import { digest } from '../../crypto/digests.ts'
import { MINUTE, SECOND } from '../../kernel/clock.ts'
import { problem } from '../../kernel/problems.ts'
import type { Db } from '../../storage/handle.ts'
import type { ProvenIdentity } from './prove-identity.ts'
import { spendProof } from './spent-proofs-queries.ts'

/** How much clocks may differ. */
const LEEWAY = MINUTE

/** Accepts an ID token for one login until it expires, and its nonce as well. */
export async function spendIdToken(
  { provider, idToken }: ProvenIdentity,
  nonce: string,
  db: Db,
): Promise<void> {
  if (!idToken) return
  // The issuer sets the time, and it can be any number.
  const expiresAt = Math.min(idToken.claims.exp * SECOND + LEEWAY, Number.MAX_SAFE_INTEGER)
  const proofs = [
    `id_token:${idToken.signedPart}`,
    ...(nonce === '' ? [] : [`nonce:${provider}:${nonce}`]),
  ]
  for (const proof of proofs) {
    const isFirst = await spendProof(db, {
      digest: digest(proof),
      expires_at: Math.ceil(expiresAt),
    })
    if (!isFirst) throw problem('social_proof_refused')
  }
}

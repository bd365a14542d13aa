import { digest } from '../../crypto/digest.ts'
import { MINUTE, SECOND } from '../../kernel/clock.ts'
import { problem } from '../../kernel/problems.ts'
import type { Db } from '../../storage/handle.ts'
import type { ProvenIdentity } from './prove-identity.ts'
import { spendProof } from './spent-proofs-queries.ts'

/** As long as clocks may differ. */
const LEEWAY = MINUTE

/** An ID token, and the nonce that it was asked for with, is good for one login, until it expires. */
export async function spendIdToken(
  { provider, idToken }: ProvenIdentity,
  nonce: string,
  db: Db,
): Promise<void> {
  if (!idToken) return
  // The time is the issuer's, and could be anything that is a number.
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

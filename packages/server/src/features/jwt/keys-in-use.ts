import { isShared } from '../../crypto/jwt/algorithms.ts'
import type { JwtKeys } from '../../crypto/jwt/keys.ts'
import { keyTimes } from '../../crypto/jwt/load-keys.ts'
import type { Settings } from '../../settings/settings.ts'

/** `id` is null for a shared secret, `writtenAt` for a key that is in no file. */
export type KeyInUse = { id: string | null; signs: boolean; writtenAt: number | null }

/**
 * The keys of this process, for operators. It is read once, together with the keys: after a rotation
 * the files already hold the keys of the next start.
 */
export function keysInUse(
  { SIMPLE_JWT }: Settings,
  { signing, verifying }: JwtKeys,
): readonly KeyInUse[] {
  if (isShared(SIMPLE_JWT.ALGORITHM)) return [{ id: null, signs: true, writtenAt: null }]
  const times = keyTimes(SIMPLE_JWT)
  return [...verifying.keys()].map((id) => ({
    id,
    signs: id === signing.kid,
    writtenAt: times.get(id) ?? null,
  }))
}

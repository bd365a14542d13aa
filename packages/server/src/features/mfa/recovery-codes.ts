import type { KeyedDigest } from '../../crypto/keyed-digest.ts'
import type { SealedBox } from '../../crypto/sealed-box.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import { canonicalRecoveryCode, newRecoveryCode } from './recovery-code.ts'
import { addCodes, listCodesOfUser, removeCodesOfUser, useCode } from './recovery-codes-queries.ts'

export type RecoveryCodes = ReturnType<typeof createRecoveryCodes>

type Needs = { keyedDigest: KeyedDigest; sealedBox: SealedBox; count: number }

type SealedCode = { user_id: number; digest: string; sealed_code: string }

/**
 * Each code works once. Codes can be shown again, so they are sealed; a keyed digest finds them.
 */
export function createRecoveryCodes({ keyedDigest, sealedBox, count }: Needs) {
  return {
    /** Replaces all codes. Imported codes stay as their owner knows them. */
    async replace(
      userId: number,
      tx: Tx,
      codes: string[] = Array.from({ length: count }, newRecoveryCode),
    ): Promise<string[]> {
      await removeCodesOfUser(tx, userId)
      await addCodes(
        tx,
        codes.map((code, position) => rowOf(userId, code, position)),
      )
      return codes
    },

    async use(userId: number, typed: string, tx: Tx): Promise<boolean> {
      const code = canonicalRecoveryCode(typed)
      return code !== undefined && useCode(tx, userId, keyedDigest.allOf(subject(userId, code)))
    },

    /** Leaves out codes that were sealed with a key that is gone. */
    async unused(userId: number, within: Handle): Promise<string[]> {
      const rows = await listCodesOfUser(within, userId)
      return rows.flatMap(
        ({ digest, sealed_code }) => sealedBox.open(sealed_code, owner(digest)) ?? [],
      )
    },

    /** The same code, sealed and digested with the current key. */
    renewed({ user_id, digest, sealed_code }: SealedCode) {
      const code = sealedBox.open(sealed_code, owner(digest))
      if (code === null) return null
      const { position: _, ...renewed } = rowOf(user_id, code, 0)
      return renewed
    },
  }

  function rowOf(userId: number, code: string, position: number) {
    const canonical = canonicalRecoveryCode(code)
    if (canonical === undefined) throw new Error('A recovery code has an unknown form.')
    const digest = keyedDigest.of(subject(userId, canonical))
    return {
      user_id: userId,
      digest,
      sealed_code: sealedBox.seal(code, owner(digest)),
      position,
    }
  }
}

const subject = (userId: number, code: string): string => `${userId}:${code}`
const owner = (digest: string): string => `recovery-code:${digest}`

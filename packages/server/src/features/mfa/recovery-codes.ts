import type { KeyedDigest } from '../../crypto/keyed-digest.ts'
import type { SealedBox } from '../../crypto/sealed-box.ts'
import type { Log } from '../../kernel/log.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import { canonicalRecoveryCode, newRecoveryCode } from './recovery-code.ts'
import {
  addCodes,
  listCodesOfUser,
  removeCodesOfUser,
  replaceCode,
  type SealedCode,
  useCode,
} from './recovery-codes-queries.ts'

export type RecoveryCodes = ReturnType<typeof createRecoveryCodes>

type Needs = { keyedDigest: KeyedDigest; sealedBox: SealedBox; log: Log; count: number }

/**
 * Each code works once. Codes can be shown again, so they are sealed; a keyed digest finds them.
 */
export function createRecoveryCodes({ keyedDigest, sealedBox, log, count }: Needs) {
  const isStale = ({ sealed_code }: SealedCode) => !sealed_code.startsWith(sealedBox.prefix)
  const codeIn = ({ digest, sealed_code }: SealedCode) => sealedBox.open(sealed_code, owner(digest))

  return {
    /** Replaces all codes. Imported codes stay as their owner knows them. */
    async replace(
      userId: number,
      tx: Tx,
      codes: string[] = Array.from({ length: count }, newRecoveryCode),
    ): Promise<string[]> {
      await removeCodesOfUser(tx, userId)
      if (codes.length === 0) return codes
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

    /** Leaves out codes that cannot be read; they still work. Reseals those of a former key. */
    async unused(userId: number, within: Handle): Promise<string[]> {
      const rows = await listCodesOfUser(within, userId)
      for (const row of rows.filter(isStale)) {
        const anew = renewed(row)
        if (anew) await replaceCode(within, row, anew)
      }
      const codes = rows.flatMap((row) => codeIn(row) ?? [])
      if (codes.length < rows.length) {
        const lost = rows.length - codes.length
        log.error({ user: userId, lost }, 'recovery codes cannot be read, so they are not shown')
      }
      return codes
    },

    renewed,
  }

  /** The same code, sealed and digested with the current key. */
  function renewed(row: SealedCode): SealedCode | null {
    const code = codeIn(row)
    if (code === null) return null
    const { position: _, ...anew } = rowOf(row.user_id, code, 0)
    return anew
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

import type { KeyedDigest } from '../../crypto/digests.ts'
import { randomBuffer } from '../../kernel/random.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import { deleteRowsOfUser } from '../../storage/rows-of-user.ts'
import type { Context } from '../feature.ts'
import { addCodes, listCodesOfUser, replaceCode, type SealedCode, useCode } from './mfa-queries.ts'

export type RecoveryCodes = ReturnType<typeof createRecoveryCodes>

type Needs = Pick<Context, 'sealedBox' | 'log'> & { keyedDigest: KeyedDigest; count: number }

/** Each code works once. Codes are sealed, since they can be shown again; a keyed digest finds them. */
export function createRecoveryCodes({ keyedDigest, sealedBox, log, count }: Needs) {
  const codeIn = ({ digest, sealed_code }: SealedCode) => sealedBox.open(sealed_code, owner(digest))

  return {
    /** Imported codes keep their spelling. */
    async replace(
      userId: number,
      tx: Tx,
      codes: string[] = Array.from({ length: count }, newRecoveryCode),
    ): Promise<string[]> {
      await deleteRowsOfUser(tx, 'recovery_codes', userId)
      if (codes.length === 0) return codes
      const rows = codes.map((code, position) => ({ ...rowOf(userId, code), position }))
      await addCodes(tx, rows)
      return codes
    },

    async use(userId: number, typed: string, tx: Tx): Promise<boolean> {
      const code = canonicalRecoveryCode(typed)
      return code !== undefined && useCode(tx, userId, keyedDigest.allOf(subject(userId, code)))
    },

    /** Omits codes that cannot be read; they still work. Reseals codes of a former key. */
    async unused(userId: number, within: Handle): Promise<string[]> {
      const rows = await listCodesOfUser(within, userId)
      for (const row of rows) {
        const anew = sealedBox.isCurrent(row.sealed_code) ? null : renewed(row)
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
    return code === null ? null : rowOf(row.user_id, code)
  }

  function rowOf(userId: number, code: string): SealedCode {
    const canonical = canonicalRecoveryCode(code)
    if (canonical === undefined) throw new Error('A recovery code has an unknown form.')
    const digest = keyedDigest.of(subject(userId, canonical))
    return { user_id: userId, digest, sealed_code: sealedBox.seal(code, owner(digest)) }
  }
}

const subject = (userId: number, code: string): string => `${userId}:${code}`
const owner = (digest: string): string => `recovery-code:${digest}`

/** 32 characters of five bits each, without any that look alike. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 10

/** 50 random bits, in two groups that are easy to read aloud. */
export function newRecoveryCode(): string {
  const characters = Array.from(randomBuffer(LENGTH), (byte) => ALPHABET.charAt(byte & 31))
  return `${characters.slice(0, LENGTH / 2).join('')}-${characters.slice(LENGTH / 2).join('')}`
}

/** Our codes and imported ones, such as allauth's eight digits. An app's code is checked first. */
const FORM = /^[!-~]{7,64}$/

/** Undefined if it cannot be a code. */
export function canonicalRecoveryCode(typed: string): string | undefined {
  const code = withoutSeparators(typed).toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return FORM.test(code) ? code : undefined
}

const GROUP = `[${ALPHABET}]{${LENGTH / 2}}`
const OURS = new RegExp(`^${GROUP}-${GROUP}$`)

/** Whether the code was made here, not imported. */
export const isOurRecoveryCode = (code: string): boolean => OURS.test(code)

/** Codes are shown in groups, and people copy the separators. */
export const withoutSeparators = (typed: string): string => typed.replaceAll(/[\s-]/g, '')

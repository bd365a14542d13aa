import type { SealedBox } from '../crypto/sealed-box.ts'
import type { SealedColumn, SealedRow } from '../storage/sealed-columns.ts'

/** Something that is sealed, and how it is sealed anew when the key has changed. */
export type Sealed = SealedColumn & {
  /** What is written in the place of what was read; null where no key opens it. */
  renew(row: SealedRow): SealedRow | null
}

/** The usual case: one text, sealed for an owner that the key of its row names. */
export const sealedText = (
  sealedBox: SealedBox,
  { table, key, column }: { table: Sealed['table']; key: string; column: string },
  ownerOf: (key: string) => string,
): Sealed => ({
  table,
  keys: [key],
  column,
  renew(row) {
    const owner = ownerOf(String(row[key]))
    const text = sealedBox.open(String(row[column]), owner)
    return text === null ? null : { [column]: sealedBox.seal(text, owner) }
  },
})

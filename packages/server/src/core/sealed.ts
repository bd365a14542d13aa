import type { SealedBox } from '../crypto/sealed-box.ts'
import type { SealedColumn, SealedRow } from '../storage/sealed-columns.ts'

/** A sealed value, and how it is resealed after the key has changed. */
export type Sealed = SealedColumn & {
  /** Returns the resealed row, or null if no key opens it. */
  renew(row: SealedRow): SealedRow | null
  /** Whether a blank means that the value could not be read, rather than that there is none. */
  readonly blankIsUnreadable?: boolean
}

/** The usual case: one sealed text, bound to the key of its row. */
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

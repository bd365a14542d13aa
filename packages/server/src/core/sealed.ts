import type { SealedBox } from '../crypto/sealed-box.ts'
import type { SealedColumn, SealedRow } from '../storage/sealed-columns.ts'

/** A sealed value, and how it is resealed after the key has changed. */
export type Sealed = SealedColumn & {
  /** Returns the resealed row, or null if no key opens it. */
  renew(row: SealedRow): SealedRow | null
  /** Whether a blank means that the value could not be read, rather than that there is none. */
  readonly blankIsUnreadable?: boolean
}

/** The usual case: one sealed text, bound to the keys of its row. */
export const sealedText = (
  sealedBox: SealedBox,
  { table, keys, column }: Pick<Sealed, 'table' | 'keys' | 'column'>,
  ownerOf: (...keys: string[]) => string,
): Sealed => ({
  table,
  keys,
  column,
  renew(row) {
    const owner = ownerOf(...keys.map((key) => String(row[key])))
    const text = sealedBox.open(String(row[column]), owner)
    return text === null ? null : { [column]: sealedBox.seal(text, owner) }
  },
})

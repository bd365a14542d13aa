import type { SealedBox } from '../crypto/sealed-box.ts'
import type { SealedColumn, SealedRow } from '../storage/sealed-columns.ts'

/** A sealed value, and how it is resealed after the key has changed. */
export type Sealed = SealedColumn &
  (OneText | Renewing) & {
    /** Whether a blank means that the value could not be read, rather than that there is none. */
    readonly blankIsUnreadable?: boolean
  }

/** The usual case: one sealed text, bound to the keys of its row. */
type OneText = { ownerOf(...keys: string[]): string }

type Renewing = {
  /** Returns the resealed row, or null if no key opens it. */
  renew(row: SealedRow): SealedRow | null
}

/** Returns the resealed row, or null if no key opens it. */
export function renewed(sealed: Sealed, row: SealedRow, box: SealedBox): SealedRow | null {
  if ('renew' in sealed) return sealed.renew(row)
  const { keys, column, ownerOf } = sealed
  const owner = ownerOf(...keys.map((key) => String(row[key])))
  const text = box.open(String(row[column]), owner)
  return text === null ? null : { [column]: box.seal(text, owner) }
}

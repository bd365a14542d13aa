import { digest } from '../../crypto/digests.ts'
import type { SealedBox } from '../../crypto/sealed-box.ts'
import { fault, fieldProblem } from '../../kernel/problems.ts'

/** A position in a list: the values of its order. */
type Position = readonly (string | number)[]

/**
 * Cursors of lists. Each is sealed, so clients can neither make one nor read the names in it, and is
 * valid only for the list and the filter that it was made for.
 */
export const createCursors = (sealedBox: SealedBox) => (list: string, filter: object) => {
  const owner = `cursor:${list}:${digest(JSON.stringify(filter))}`
  return {
    write: (position: Position | null): string | null =>
      position && sealedBox.seal(JSON.stringify(position), owner),

    /** Null for the first page. */
    read(cursor: string | undefined): Position | null {
      if (cursor === undefined) return null
      const text = sealedBox.open(cursor, owner)
      if (text === null) throw fieldProblem({ after: [fault('invalid_cursor')] })
      return JSON.parse(text)
    },
  }
}

export type Cursors = ReturnType<typeof createCursors>

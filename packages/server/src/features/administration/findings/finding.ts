/** The result of one check. It is good if there is nothing to fix. */
export type Finding = {
  readonly about: string
  readonly says: string
  /** How to fix it. Null if there is nothing to fix. */
  readonly mend: string | null
  /** Other settings that the same change fixes. */
  readonly also?: readonly string[]
}

/** A finding with nothing to fix. */
export const good = (about: string, says: string): Finding => ({ about, says, mend: null })

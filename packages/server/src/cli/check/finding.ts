/** The result of one check. It is good if there is nothing to fix. */
export type Finding = {
  readonly about: string
  readonly says: string
  /** What to do about it. */
  readonly mend: string | null
  /** Settings that are fixed along with it. */
  readonly also?: readonly string[]
}

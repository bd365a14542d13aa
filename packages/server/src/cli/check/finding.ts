/** One thing that was looked at: good when there is nothing to mend. */
export type Finding = {
  readonly about: string
  readonly says: string
  /** What to do about it. */
  readonly mend: string | null
  /** What is mended with it. */
  readonly also?: readonly string[]
}

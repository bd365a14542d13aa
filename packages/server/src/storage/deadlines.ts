/** How long an operation may take in all, the wait for a connection included. */
export type Deadlines = {
  /** A statement on its own. */
  readMs: number
  /** A transaction, from the first try to the last. */
  writeMs: number
}

/** How long an operation may take, including the wait for a connection. */
export type Deadlines = {
  /** For a single statement. */
  readMs: number
  /** For a transaction, including all its retries. */
  writeMs: number
}

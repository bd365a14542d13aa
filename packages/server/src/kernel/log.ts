/** Writes structured log lines. The fields never hold a password, a token, a code or a key. */
export type Log = {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

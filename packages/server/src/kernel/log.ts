/** Structured lines; never a password, a token, a code or a key among the fields. */
export type Log = {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

/**
 * Where a login comes from. This is personal data: it is stored with the login, ends with it, and
 * never appears in logs, metrics or audit events.
 */
export type Device = {
  /** The whole address. Limits count an IPv6 client by its network instead. */
  readonly address: string
  /** What the browser calls itself: plain text, possibly empty. */
  readonly userAgent: string
}

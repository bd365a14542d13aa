/** What a driver's error means to us; the only place that knows their codes. */

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

const UNIQUE_VIOLATION = /^(23505|SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY))$/

export const isUniqueViolation = (error: unknown): boolean => UNIQUE_VIOLATION.test(codeOf(error))

const FOREIGN_KEY_VIOLATION = /^(23503|SQLITE_CONSTRAINT_FOREIGNKEY)$/

/** Something was to belong to a user who is gone: all that belongs to anything belongs to one. */
export const isOfDeletedUser = (error: unknown): boolean =>
  FOREIGN_KEY_VIOLATION.test(codeOf(error))

/** Connection lost or refused, server stopping or full, file busy, read-only or disk full. */
const UNAVAILABLE_CODE =
  /^(08...|53...|57P0.|57014|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN).*)$/
const UNAVAILABLE_TEXT =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

export const isUnavailable = (error: unknown): boolean =>
  UNAVAILABLE_CODE.test(codeOf(error)) ||
  (error instanceof Error && UNAVAILABLE_TEXT.test(error.message)) ||
  (error instanceof AggregateError && error.errors.some(isUnavailable))

/** What a driver's error means to us; the only place that knows their codes. */

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

const UNIQUE_VIOLATION = /^(23505|SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY))$/

export const isUniqueViolation = (error: unknown): boolean => UNIQUE_VIOLATION.test(codeOf(error))

const FOREIGN_KEY_VIOLATION = /^(23503|SQLITE_CONSTRAINT_FOREIGNKEY)$/

/** Something was to belong to a user who is gone: all that belongs to anything belongs to one. */
export const isOfDeletedUser = (error: unknown): boolean =>
  FOREIGN_KEY_VIOLATION.test(codeOf(error))

/** A serialisation failure or a deadlock: another try may well succeed. */
const CONFLICT = /^40(001|P01)$/

export const isConflict = (error: unknown): boolean => CONFLICT.test(codeOf(error))

/**
 * Connection lost or refused, server stopping, starting or full, no disk, or one that can be read
 * only: a stand-by, for instance, that the name of the server led to before it led to the new one.
 */
const CONNECTION_CODE =
  /^(08...|25006|25P0[34]|28...|57P0.|58...|E(CONNREFUSED|CONNRESET|CONNABORTED|NOTFOUND|AGAIN|AI_AGAIN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NETDOWN))$/
const CONNECTION_TEXT =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (has encountered a connection error|was closed))/

/** A server that stops takes its socket file along. */
const isMissingSocket = (error: unknown): boolean =>
  codeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect'

/** The connection that said so is of no use any more. */
export const endsConnection = (error: unknown): boolean =>
  CONNECTION_CODE.test(codeOf(error)) ||
  isMissingSocket(error) ||
  (error instanceof Error && CONNECTION_TEXT.test(error.message)) ||
  (error instanceof AggregateError && error.errors.some(endsConnection))

/** Too many connections, no space, a statement that took too long or waited for a lock in vain. */
const BUSY_CODE =
  /^(53...|55P03|57014|SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|PROTOCOL|NOMEM).*)$/

/** Not the request's fault, nor ours; later it may work. */
export const isUnavailable = (error: unknown): boolean =>
  endsConnection(error) || isConflict(error) || BUSY_CODE.test(codeOf(error))

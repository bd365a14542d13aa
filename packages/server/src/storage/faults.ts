/** Translates the error codes of the drivers. No other file knows them. */

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

const UNIQUE_VIOLATION = /^(23505|SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY))$/

export const isUniqueViolation = (error: unknown): boolean => UNIQUE_VIOLATION.test(codeOf(error))

const FOREIGN_KEY_VIOLATION = /^(23503|SQLITE_CONSTRAINT_FOREIGNKEY)$/

/** A foreign key failed. All foreign keys lead to users, so the user was deleted meanwhile. */
export const isOfDeletedUser = (error: unknown): boolean =>
  FOREIGN_KEY_VIOLATION.test(codeOf(error))

/** For what is done for a user who need not be there any more. Other errors are thrown again. */
export function unlessUserIsDeleted(error: unknown): void {
  if (!isOfDeletedUser(error)) throw error
}

/** A serialisation failure or a deadlock: a retry may succeed. */
const CONFLICT = /^40(001|P01)$/

export const isConflict = (error: unknown): boolean => CONFLICT.test(codeOf(error))

/**
 * The connection was lost or refused; the server stops, starts or is full; the disk is missing or
 * read-only. Read-only includes a stand-by, to which the name of the server may lead until it leads
 * to the new primary.
 */
const CONNECTION_CODE =
  /^(08...|25006|25P0[34]|28...|57P0.|58...|E(CONNREFUSED|CONNRESET|CONNABORTED|NOTFOUND|AGAIN|AI_AGAIN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NETDOWN))$/
const CONNECTION_TEXT =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (has encountered a connection error|was closed))/

/** A stopped server removes its socket file. */
const isMissingSocket = (error: unknown): boolean =>
  codeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect'

/** True if the connection must not be used again. */
export const endsConnection = (error: unknown): boolean =>
  CONNECTION_CODE.test(codeOf(error)) ||
  isMissingSocket(error) ||
  (error instanceof Error && CONNECTION_TEXT.test(error.message)) ||
  (error instanceof AggregateError && error.errors.some(endsConnection))

/**
 * Too many connections, no space, a statement that took too long, or a lock that was not free in
 * time.
 */
const BUSY_CODE =
  /^(53...|55P03|57014|SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|PROTOCOL|NOMEM).*)$/

/** The service has ended, and a host still sends it requests. */
const CLOSED_TEXT = /^(driver has already been destroyed|Cannot use a pool after calling end)/

const isClosed = (error: unknown): boolean =>
  error instanceof Error && CLOSED_TEXT.test(error.message)

/** Neither the request nor the code is at fault. A later try may succeed. */
export const isUnavailable = (error: unknown): boolean =>
  endsConnection(error) || isConflict(error) || isClosed(error) || BUSY_CODE.test(codeOf(error))

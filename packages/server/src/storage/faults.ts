import { withoutPassword } from '../kernel/setting-kinds/scalars.ts'
import { firstLine } from '../kernel/texts.ts'

/** Translates the error codes of the drivers. No other file knows them. */

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** An error with the code by which the functions here recognise it. */
export const codedError = (code: string, words: string, options?: ErrorOptions): Error =>
  Object.assign(new Error(words, options), { code })

const UNIQUE_VIOLATION = /^(23505|SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY))$/

export const isUniqueViolation = (error: unknown): boolean => UNIQUE_VIOLATION.test(codeOf(error))

const FOREIGN_KEY_VIOLATION = /^(23503|SQLITE_CONSTRAINT_FOREIGNKEY)$/

/** A foreign key failed. All foreign keys lead to users, so the user was deleted meanwhile. */
export const isOfDeletedUser = (error: unknown): boolean =>
  FOREIGN_KEY_VIOLATION.test(codeOf(error))

/** Ignores that the user was deleted in the meantime. Throws all other errors again. */
export function unlessUserIsDeleted(error: unknown): void {
  if (!isOfDeletedUser(error)) throw error
}

/** A serialisation failure or a deadlock. */
const CONFLICT = /^40(001|P01)$/

/**
 * A named statement is missing, or is there already: a pooler has given the connection of another
 * client to us.
 */
const MIXED = /^(26000|42P05)$/

export const isMixedUp = (error: unknown): boolean => MIXED.test(codeOf(error))

/** A migration of a newer version has changed the columns that a named statement returns. */
export const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery'

/** The server has done nothing, and the same work may succeed if it is repeated. */
export const canRepeat = (error: unknown): boolean =>
  CONFLICT.test(codeOf(error)) || isMixedUp(error) || isOutdatedPlan(error)

/** For a transaction whose work was not done. */
export const rolledBack = (): Error => codedError('40000', 'The transaction was rolled back.')

/** For work that may or may not have been done. Only the client may decide to repeat it. */
export const outcomeUnknown = (words: string): Error => codedError('40003', words)

/** The connection was lost or refused; the server stops, starts or is full; the disk is missing. */
const CONNECTION_CODE =
  /^(08...|25P0[34]|28...|57P0.|58...|E(CONNREFUSED|CONNRESET|CONNABORTED|NOTFOUND|AGAIN|AI_AGAIN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NETDOWN))$/
const CONNECTION_TEXT =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (has encountered a connection error|was closed))/

/** For a database that a test wants to be away. */
export const unreachable = (words: string): Error => codedError('ECONNREFUSED', words)

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
 * The code that PostgreSQL gives to a write on a stand-by, to which the name of the server may lead
 * until it leads to the new primary.
 */
const READ_ONLY = '25006'

export const standBy = (words: string): Error => codedError(READ_ONLY, words)

export const isStandBy = (error: unknown): boolean => codeOf(error) === READ_ONLY

/** With the code that PostgreSQL gives to a character that such a database lacks. */
export const wrongEncoding = (encoding: string): Error =>
  codedError(
    '22P05',
    `its encoding is ${encoding}; Latchkey needs UTF8: createdb --encoding UTF8 --template template0`,
  )

/**
 * The disk has failed. SQLite reports a file as corrupt, or as no database, whether its pages
 * cannot be read or are wrong.
 */
const DISK_CODE = /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN)/

export const isDiskFailure = (error: unknown): boolean => DISK_CODE.test(codeOf(error))

/** SQLite could not open the file for writing, and has opened it for reading. */
export const isReadOnlyFile = (error: unknown): boolean =>
  codeOf(error).startsWith('SQLITE_READONLY')

/** For a file of SQLite that cannot be opened. The driver gives only the number of an error. */
export const cannotOpen = (cause: unknown): Error =>
  codedError('SQLITE_CANTOPEN', 'the file cannot be opened', { cause })

/**
 * Too many connections, no space, a statement that took too long, a lock that was not free in time, or
 * a transaction that was rolled back or whose outcome is unknown.
 */
const BUSY_CODE =
  /^(4000[023]|53...|55P03|57014|SQLITE_(BUSY|LOCKED|FULL|READONLY|PROTOCOL|NOMEM).*)$/

/** Another program holds the lock. */
export const isLockedOut = (error: unknown): boolean => codeOf(error) === '55P03' || isBusy(error)

/** On SQLite: another process holds the lock. */
export const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY')

const FROZEN_CODE = 'LATCHKEY_FROZEN'

/** For a write while `latchkey move` copies the database. */
export const frozenError = (): Error =>
  codedError(
    FROZEN_CODE,
    'it is read-only while "latchkey move" copies it; try again when that is done',
  )

export const isFrozen = (error: unknown): boolean => codeOf(error) === FROZEN_CODE

/** For a write that may be skipped: reads go on while the database is copied. Throws all other errors. */
export function unlessFrozen(error: unknown): void {
  if (!isFrozen(error)) throw error
}

/** Lookups go on: a stand-by, a disk that is full or read-only, or another program that has the lock. */
const WRITE_REFUSED = /^(25006|53100|SQLITE_(BUSY|FULL|READONLY).*)$/

/**
 * For a write that may be skipped, so that the lookup after it still works. Not in a transaction, which
 * such an error may have ended. Throws all other errors.
 */
export function unlessRefused(error: unknown): void {
  if (!WRITE_REFUSED.test(codeOf(error))) unlessFrozen(error)
}

/** The service has ended, and a host still sends it requests. */
const CLOSED_TEXT = /^(driver has already been destroyed|Cannot use a pool after calling end)/

const isClosed = (error: unknown): boolean =>
  error instanceof Error && CLOSED_TEXT.test(error.message)

/** Why there was no connection, whatever its code: a missing or closed database is not our fault. */
const unconnected = new WeakSet<object>()

/** Marks an error of connecting, and returns it. */
export function notConnected(error: unknown): unknown {
  if (error instanceof Error) unconnected.add(error)
  return error
}

const isNotConnected = (error: unknown): boolean => error instanceof Error && unconnected.has(error)

/** The error codes of the drivers. Those of Node, such as `ENOENT`, can come from any file. */
const DRIVER_CODE = /^(SQLITE_.*|[0-9FHPX][0-9A-Z]{4})$/

/** Whether the error comes from the database, and not from some other file or network. */
const isOfDatabase = (error: unknown): boolean =>
  isUnavailable(error) || DRIVER_CODE.test(codeOf(error))

/** Says which database an error comes from, for operators and hosts. Other errors stay the same. */
export function namingDatabase(url: string, error: unknown): unknown {
  if (!isOfDatabase(error)) return error
  const words = `The database ${withoutPassword(url)} cannot be used: ${firstLine(error)}`
  return new Error(words, { cause: error })
}

/** Neither the request nor the code is at fault. A later try may succeed. */
export const isUnavailable = (error: unknown): boolean =>
  isNotConnected(error) ||
  endsConnection(error) ||
  isDiskFailure(error) ||
  canRepeat(error) ||
  isClosed(error) ||
  isFrozen(error) ||
  isStandBy(error) ||
  BUSY_CODE.test(codeOf(error))

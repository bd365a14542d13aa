import type { CompiledQuery, DatabaseConnection, Dialect } from 'kysely'
import { frozenError } from './faults.ts'
import { withDriver } from './with-driver.ts'

/** Frozen while `latchkey move` copies the database. */
export type Gate = { isFrozen: boolean }

/**
 * Reads, the ends of transactions, and the table in which an instance reports that it is frozen. Not the
 * beginning of one: on SQLite it would wait for the lock of the mover, and stop the whole process.
 */
const ALLOWED =
  /^\s*(select\b(?!.*\bfor update\b)|commit|rollback|(insert into|update|delete from) "latchkey_instances")/is

/**
 * Refuses writes at once while the gate is frozen. The database would refuse them, too, but only after
 * a wait in which they hold connections that reads need.
 */
export function freezable(dialect: Dialect, gate: Gate): Dialect {
  return withDriver(dialect, (driver) => ({
    acquireConnection: async () => guarded(await driver.acquireConnection(), gate),
    beginTransaction: async (connection, settings) => {
      if (gate.isFrozen) throw frozenError()
      return driver.beginTransaction(connection, settings)
    },
  }))
}

/** Everything but `executeQuery` is inherited, since a driver finds its own functions on it. */
function guarded(connection: DatabaseConnection, gate: Gate): DatabaseConnection {
  const executeQuery = async (query: CompiledQuery) => {
    if (gate.isFrozen && !ALLOWED.test(query.sql)) throw frozenError()
    return connection.executeQuery(query)
  }
  return Object.create(connection, { executeQuery: { value: executeQuery, writable: true } })
}

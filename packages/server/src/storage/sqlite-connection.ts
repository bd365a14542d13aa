import type { QueryResult } from 'kysely'
import type LibsqlDatabase from 'libsql'
import { isDiskFailure, rolledBack } from './faults.ts'
import { createStatements } from './sqlite-statements.ts'

export type SqliteConnection = ReturnType<typeof createSqliteConnection>

/**
 * A connection that is replaced after the disk has failed: its open file may stay broken, even if the
 * disk is back.
 */
export function createSqliteConnection(open: () => LibsqlDatabase.Database) {
  let database = open()
  let statements = createStatements(database)
  let hasFailed = false

  function noted(error: unknown): unknown {
    hasFailed = isDiskFailure(error)
    return error
  }

  return {
    get database(): LibsqlDatabase.Database {
      return database
    },

    /** Call it before each transaction and each single statement. Throws while the disk fails. */
    renew(): void {
      if (!hasFailed) return
      const next = open()
      database.close()
      database = next
      statements = createStatements(database)
      hasFailed = false
    },

    /** Nothing is repeated after a failure: the statement may have been executed. */
    run<Row>(sql: string, parameters: readonly unknown[], first: boolean): QueryResult<Row> {
      // SQLite may have rolled back already. What follows in the same transaction would be committed.
      if (hasFailed) throw rolledBack()
      try {
        return statements.run(sql, parameters, first) as QueryResult<Row>
      } catch (error) {
        throw noted(error)
      }
    },

    /** Begins or ends a transaction. Unlike a prepared statement it leaves nothing open if it fails. */
    command(sql: string): void {
      if (hasFailed) throw rolledBack()
      try {
        database.exec(sql)
      } catch (error) {
        throw noted(error)
      }
    },

    forgetStatements: () => statements.clear(),
  }
}

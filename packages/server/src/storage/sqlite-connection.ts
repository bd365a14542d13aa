import type { QueryResult } from 'kysely'
import type LibsqlDatabase from 'libsql'
import { isDiskFailure, isReadOnlyFile, rolledBack } from './faults.ts'
import { fileAt } from './sqlite-file.ts'
import { createStatements } from './sqlite-statements.ts'

export type SqliteConnection = ReturnType<typeof createSqliteConnection>

/**
 * A connection that is replaced after the disk has failed: its open file may stay broken, even if the
 * disk is back. The path is null for a database in memory.
 */
export function createSqliteConnection(open: () => LibsqlDatabase.Database, path: string | null) {
  let file = fileAt(path)
  let database = open()
  let statements = createStatements(database)
  let hasFailed = false
  /** The connection stays so, even if the file can be written again. */
  let isReadOnly = false

  function noted(error: unknown): unknown {
    hasFailed = isDiskFailure(error)
    isReadOnly ||= isReadOnlyFile(error)
    return error
  }

  return {
    get database(): LibsqlDatabase.Database {
      return database
    },

    /** Call it before each transaction and each single statement. Throws while the disk fails. */
    renew(): void {
      if (!hasFailed) return
      const found = fileAt(path)
      const next = open()
      database.close()
      database = next
      file = found
      statements = createStatements(database)
      hasFailed = false
      isReadOnly = false
    },

    /**
     * Call it once a second. If the file was deleted or replaced, what is written would be lost, so the
     * connection counts as failed. The same if it can only read: opened again, it may be able to write.
     */
    checkFile(): void {
      if (path === null) return
      const found = fileAt(path)
      const isAnother = file !== null && found !== null && found !== file
      hasFailed ||= isAnother || isReadOnly
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

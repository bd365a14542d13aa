import type { QueryResult } from 'kysely'
import type LibsqlDatabase from 'libsql'
import { cannotOpen, isDiskFailure, isReadOnlyFile, rolledBack } from './faults.ts'
import { canWrite, fileAt, journalAt } from './sqlite-file.ts'
import { createStatements } from './sqlite-statements.ts'

export type SqliteConnection = ReturnType<typeof createSqliteConnection>

/**
 * A connection that is replaced after the disk has failed: its open file may stay broken, even if the
 * disk is back. The path is null for a database in memory.
 */
export function createSqliteConnection(open: () => LibsqlDatabase.Database, path: string | null) {
  const stateOf = (database: LibsqlDatabase.Database) => ({
    database,
    file: fileAt(path),
    journal: journalAt(path),
    statements: createStatements(database),
    hasFailed: false,
    /** The connection stays so, even if the file can be written again. */
    isReadOnly: false,
  })
  let state = stateOf(open())

  function noted(error: unknown): unknown {
    state.hasFailed = isDiskFailure(error)
    state.isReadOnly ||= isReadOnlyFile(error)
    return error
  }

  function isReplaced(): boolean {
    const found = fileAt(path)
    return state.file !== null && found !== null && found !== state.file
  }

  /** Its pages belong to the old file. Together with the new one they would be a broken database. */
  function refuseOldJournal(): void {
    const { journal } = state
    if (journal === null || journalAt(path) !== journal || !isReplaced()) return
    throw cannotOpen(
      new Error(
        'it was replaced, and the journal of the old file is still there: restart the service',
      ),
    )
  }

  return {
    get database(): LibsqlDatabase.Database {
      return state.database
    },

    /** Call it before each transaction and each single statement. Throws while the disk fails. */
    renew(): void {
      if (!state.hasFailed) return
      refuseOldJournal()
      const next = open()
      state.database.close()
      state = stateOf(next)
    },

    /**
     * Call it once a second. If the file was deleted or replaced, what is written would be lost, so the
     * connection counts as failed. The same if it can only read, but the file can be written again.
     */
    checkFile(): void {
      state.hasFailed ||= isReplaced() || (state.isReadOnly && path !== null && canWrite(path))
    },

    /** Nothing is repeated after a failure: the statement may have been executed. */
    run<Row>(sql: string, parameters: readonly unknown[], first: boolean): QueryResult<Row> {
      // SQLite may have rolled back already. What follows in the same transaction would be committed.
      if (state.hasFailed) throw rolledBack()
      try {
        return state.statements.run(sql, parameters, first) as QueryResult<Row>
      } catch (error) {
        throw noted(error)
      }
    },

    /** Begins or ends a transaction. Unlike a prepared statement it leaves nothing open if it fails. */
    command(sql: string): void {
      if (state.hasFailed) throw rolledBack()
      try {
        state.database.exec(sql)
      } catch (error) {
        throw noted(error)
      }
    },

    forgetStatements: () => state.statements.clear(),
  }
}

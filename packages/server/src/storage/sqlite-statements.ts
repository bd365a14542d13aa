import type { QueryResult } from 'kysely'
import type LibsqlDatabase from 'libsql'
import { isBusy } from './faults.ts'
import { type Row, rowMaker } from './row-maker.ts'

export const isRead = (sql: string): boolean => /^\s*select\b/i.test(sql)

type Run = (parameters: readonly unknown[]) => QueryResult<Row>

/**
 * Preparing a statement costs more than running it, so each text is prepared once. There is one
 * statement for the first row and another one for all rows: the driver's `get` takes new values only if
 * the last use was a `get`, too, and did not fail. Otherwise it silently uses the old ones.
 */
export function createStatements(database: LibsqlDatabase.Database) {
  const forFirst = new Map<string, Run>()
  const forAll = new Map<string, Run>()

  function prepare(text: string, known: Map<string, Run>): Run {
    // Only a read may end at its first row. A change outside a transaction is committed when its statement
    // ends, and the driver's `get` ends it without a look at the outcome: a full disk would be a success.
    const run = runnerOf(database.prepare(text), known === forFirst && isRead(text))
    const runOrForget: Run = (parameters) => {
      try {
        return run(parameters)
      } catch (error) {
        known.delete(text)
        if (isBusy(error)) close(() => run(parameters))
        throw error
      }
    }
    known.set(text, runOrForget)
    return runOrForget
  }

  /**
   * A statement that found the database locked stays open until its next use. Meanwhile no transaction
   * can commit, and what others commit stays out of sight. So it is used once more, where it cannot
   * write. It fails, and is closed.
   */
  function close(runAgain: () => void): void {
    database.exec('PRAGMA query_only = ON')
    try {
      runAgain()
    } catch {
      // As intended.
    } finally {
      database.exec('PRAGMA query_only = OFF')
    }
  }

  return {
    run(text: string, parameters: readonly unknown[], first: boolean): QueryResult<Row> {
      const known = first ? forFirst : forAll
      return (known.get(text) ?? prepare(text, known))(parameters)
    },

    clear(): void {
      forFirst.clear()
      forAll.clear()
    },
  }
}

function runnerOf(statement: LibsqlDatabase.Statement, first: boolean): Run {
  if (!statement.reader) {
    return (parameters) => {
      const { changes } = statement.run(parameters)
      return { rows: [], numAffectedRows: BigInt(changes) }
    }
  }
  const rows = first ? firstRowOf(statement) : allRowsOf(statement)
  return (parameters) => ({ rows: rows(parameters) })
}

/*
 * The driver returns arrays faster than objects, and one row much faster than a list of one. So it is
 * asked for these, and the objects are built here.
 */

type Rows = (parameters: readonly unknown[]) => Row[]

function firstRowOf(statement: LibsqlDatabase.Statement): Rows {
  const toRow = rowMakerOf(statement)
  return (parameters) => {
    const values = statement.get(parameters) as unknown[] | undefined
    return values ? [toRow(values)] : []
  }
}

export function allRowsOf(statement: LibsqlDatabase.Statement): Rows {
  const toRow = rowMakerOf(statement)
  return (parameters) => statement.all(parameters).map((values) => toRow(values as unknown[]))
}

/** A newer version may add a column to a table while this process runs, and `select *` then has it. */
function rowMakerOf(statement: LibsqlDatabase.Statement): (values: readonly unknown[]) => Row {
  const namesNow = () => statement.columns().map(({ name }) => name)
  statement.raw()
  let names = namesNow()
  let toRow = rowMaker(names)
  return (values) => {
    if (values.length !== names.length) {
      names = namesNow()
      toRow = rowMaker(names)
    }
    return toRow(values)
  }
}

import type { QueryResult } from 'kysely'
import type LibsqlDatabase from 'libsql'
import { isBusy } from './faults.ts'
import { type Row, rowMaker } from './row-maker.ts'

type Run = (parameters: readonly unknown[], first: boolean) => QueryResult<Row>

/** Preparing a statement costs more than running it, so each text is prepared once. */
export function createStatements(database: LibsqlDatabase.Database) {
  const known = new Map<string, Run>()

  function runnerOf(statement: LibsqlDatabase.Statement): Run {
    if (!statement.reader) {
      return (parameters) => {
        const { changes } = statement.run(parameters)
        return { rows: [], numAffectedRows: BigInt(changes) }
      }
    }
    const { first: firstRow, all } = rowsOf(statement)
    return (parameters, first) => ({ rows: first ? firstRow(parameters) : all(parameters) })
  }

  return {
    clear: () => known.clear(),

    prepare(text: string): Run {
      const there = known.get(text)
      if (there) return there
      const run = runnerOf(database.prepare(text))
      const runOrForget: Run = (parameters, first) => {
        try {
          return run(parameters, first)
        } catch (error) {
          // The driver would repeat any other error at each further use.
          if (!isBusy(error)) known.delete(text)
          throw error
        }
      }
      known.set(text, runOrForget)
      return runOrForget
    },
  }
}

/**
 * The rows of a statement. The driver returns arrays faster than objects, and one row much faster
 * than a list of one. So it is asked for these, and the objects are built here.
 */
export function rowsOf(statement: LibsqlDatabase.Statement) {
  const raw = statement.raw()
  const toRow = rowMaker(raw.columns().map(({ name }) => name))
  return {
    /** The first row, or none. */
    first(parameters: readonly unknown[]): Row[] {
      const values = raw.get(parameters) as unknown[] | undefined
      return values ? [toRow(values)] : []
    },
    all: (parameters: readonly unknown[]): Row[] =>
      raw.all(parameters).map((values) => toRow(values as unknown[])),
  }
}

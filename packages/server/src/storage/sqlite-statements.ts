import type { QueryResult } from 'kysely'
import type LibsqlDatabase from 'libsql'
import { isBusy } from './faults.ts'

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

type Row = Record<string, unknown>

/**
 * The rows of a statement. The driver returns arrays faster than objects, and one row much faster
 * than a list of one. So it is asked for these, and the objects are built here.
 */
export function rowsOf(statement: LibsqlDatabase.Statement) {
  const raw = statement.raw()
  const columns = raw.columns().map(({ name }) => name)
  const blank = blankRow(columns)
  return {
    /** The first row, or none. */
    first(parameters: readonly unknown[]): Row[] {
      const values = raw.get(parameters) as unknown[] | undefined
      return values ? [toRow(blank, columns, values)] : []
    },
    all: (parameters: readonly unknown[]): Row[] =>
      raw.all(parameters).map((values) => toRow(blank, columns, values as unknown[])),
  }
}

/**
 * A row to be copied and filled. An object that gets many keys one by one becomes a dictionary,
 * which is slow to read and slower to copy. JSON makes it with all of its keys at once.
 */
function blankRow(columns: readonly string[]): Row {
  return JSON.parse(JSON.stringify(Object.fromEntries(columns.map((name) => [name, null]))))
}

function toRow(blank: Row, columns: readonly string[], values: readonly unknown[]): Row {
  // Twice as fast as `Object.assign`.
  const row = { ...blank }
  for (let i = 0; i < columns.length; i++) row[columns[i] ?? ''] = values[i]
  return row
}

import {
  type CompiledQuery,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
} from 'kysely'
import type { Database } from './schema.ts'

/** A compiled query. `first` says that only its first row is wanted. */
export type Statement = CompiledQuery & { readonly first?: boolean }

/** What our drivers add to a driver of Kysely. */
export type StatementDriver = Driver & {
  /** Runs one statement outside of any transaction. */
  run<Row>(statement: Statement): Promise<QueryResult<Row>>
}

/**
 * Kysely over a driver of ours. Single statements go straight to the driver. By way of Kysely, each of
 * them would pass eight promises to acquire and release a connection, which takes as long as SQLite
 * needs to find a row.
 */
export function kyselyOver(
  driver: StatementDriver,
  parts: Omit<Dialect, 'createDriver'>,
): Kysely<Database> {
  const dialect = { ...parts, createDriver: () => driver }
  const executor = new StraightExecutor(dialect, driver)
  return new Kysely<Database>({ config: { dialect }, dialect, driver, executor })
}

class StraightExecutor extends DefaultQueryExecutor {
  readonly #driver: StatementDriver

  constructor(dialect: Dialect, driver: StatementDriver) {
    const connections = new DefaultConnectionProvider(driver)
    super(dialect.createQueryCompiler(), dialect.createAdapter(), connections)
    this.#driver = driver
  }

  override executeQuery<Row>(statement: Statement): Promise<QueryResult<Row>> {
    return this.#driver.run(statement)
  }
}

/** Results are never streamed in this service. */
export function streamQuery(): never {
  throw new Error('Streaming is not supported.')
}

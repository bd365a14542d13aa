import type { CompiledQuery, QueryExecutor } from 'kysely'
import type { StartedAuth } from './start-auth.ts'

/**
 * The statements that the service sends to its database meanwhile. Equal statements in equal order
 * are equal work, so that the time tells nothing.
 */
export async function statementsOf(
  { db }: Pick<StartedAuth, 'db'>,
  happening: () => Promise<unknown>,
): Promise<string[]> {
  const seen: string[] = []
  const note = ({ sql }: CompiledQuery) => {
    // A timer reads this table, whatever the request does.
    if (!sql.includes('latchkey_instances')) seen.push(sql)
  }
  const executor: Partial<QueryExecutor> = db.getExecutor()
  const { executeQuery, provideConnection } = db.getExecutor()
  // A single statement.
  executor.executeQuery = (query) => {
    note(query)
    return executeQuery.call(executor, query) as never
  }
  // The statements of a transaction.
  executor.provideConnection = (consume) =>
    provideConnection.call(executor, async (connection) => {
      const execute = connection.executeQuery
      connection.executeQuery = (query) => {
        note(query)
        return execute.call(connection, query) as never
      }
      try {
        return await consume(connection)
      } finally {
        connection.executeQuery = execute
      }
    }) as never
  try {
    await happening()
  } finally {
    delete executor.executeQuery
    delete executor.provideConnection
  }
  return seen
}

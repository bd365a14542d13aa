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
  const executor = db.getExecutor()
  const provideConnection = executor.provideConnection.bind(executor)
  executor.provideConnection = (consume) =>
    provideConnection(async (connection) => {
      const execute = connection.executeQuery
      connection.executeQuery = (query) => {
        // A timer reads this table, whatever the request does.
        if (!query.sql.includes('latchkey_instances')) seen.push(query.sql)
        return execute.call(connection, query) as never
      }
      try {
        return await consume(connection)
      } finally {
        connection.executeQuery = execute
      }
    })
  try {
    await happening()
  } finally {
    executor.provideConnection = provideConnection
  }
  return seen
}

import { CompiledQuery, type QueryExecutor, sql } from 'kysely'
import { onTestFinished } from 'vitest'
import type { StartedAuth } from './start-auth.ts'

/** Collects every query from now on, also those of transactions. */
export function watchQueries({ db }: StartedAuth): CompiledQuery[] {
  const seen: CompiledQuery[] = []
  const own: Partial<QueryExecutor> = watch(db.getExecutor())
  // Later tests may use the same connection.
  onTestFinished(() => {
    delete own.executeQuery
    delete own.withConnectionProvider
  })
  return seen

  function watch(executor: QueryExecutor): QueryExecutor {
    const execute = executor.executeQuery.bind(executor)
    executor.executeQuery = (query) => {
      seen.push(query)
      return execute(query)
    }
    const onConnection = executor.withConnectionProvider.bind(executor)
    executor.withConnectionProvider = (provider) => watch(onConnection(provider))
    return executor
  }
}

/** How the database would run the query, as text. PostgreSQL uses nothing that is `off` if it can help it. */
export async function planOf(
  { auth }: StartedAuth,
  { sql: text, parameters }: CompiledQuery,
  off: readonly ('seqscan' | 'sort')[] = ['seqscan'],
): Promise<string> {
  const { db, engine } = auth.connection
  const explain = (word: string) => CompiledQuery.raw(`${word} ${text}`, [...parameters])
  if (engine === 'sqlite') {
    return JSON.stringify((await db.executeQuery(explain('explain query plan'))).rows)
  }
  const trx = await db.startTransaction().execute()
  try {
    // PostgreSQL reads a small table from one end to the other, and that is right. So it must not know
    // what it may have learned about the tables in the background.
    await sql`with unknown as (update pg_class set reltuples = -1, relpages = 0
        where relkind = 'r' and relnamespace = current_schema()::regnamespace returning oid)
      delete from pg_statistic where starelid in (select oid from unknown)`.execute(trx)
    for (const way of off) await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(trx)
    return JSON.stringify((await trx.executeQuery(explain('explain (format json)'))).rows)
  } finally {
    await trx.rollback().execute()
  }
}

type PlanNode = { Plans?: PlanNode[]; 'Node Type': string; 'Index Cond'?: string } & Record<
  string,
  unknown
>

/**
 * The tables that the plan reads from one end to the other. An index helps only if it is searched: one
 * that is read as a whole, in its order, costs as much as the table.
 */
export function tablesReadWhole(plan: string, engine: 'sqlite' | 'postgres'): string[] {
  const rows = JSON.parse(plan) as Record<string, unknown>[]
  if (engine === 'sqlite') {
    return rows.flatMap(
      ({ detail }) => /^SCAN (?!CONSTANT ROW)(\S+)/.exec(String(detail))?.[1] ?? [],
    )
  }
  const roots = rows.flatMap((row) => row['QUERY PLAN'] as { Plan: PlanNode }[])
  return roots.flatMap(({ Plan }) => readWhole(Plan))
}

function readWhole(node: PlanNode): string[] {
  const below = (node.Plans ?? []).flatMap(readWhole)
  const isScan = /^(Seq|Index|Index Only|Bitmap Index) Scan$/.test(node['Node Type'])
  if (!isScan || node['Index Cond']) return below
  return [...below, String(node['Relation Name'] ?? node['Index Name'])]
}

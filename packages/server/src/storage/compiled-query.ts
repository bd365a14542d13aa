import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Database } from './schema.ts'

/**
 * For the hottest lookups: building a query costs more than running it, so it is built at the
 * first use, around a hole, and from then on only the hole is filled.
 */
export function compiledQuery<Value, Row>(
  db: Kysely<Database>,
  build: (hole: Value) => Compilable<Row>,
): (value: Value) => Promise<Row | undefined> {
  const hole = Symbol('hole') as Value
  let compiled: CompiledQuery<Row> | undefined
  return async (value) => {
    compiled ??= build(hole).compile()
    const parameters = compiled.parameters.map((p) => (p === hole ? value : p))
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows[0]
  }
}

import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Database } from './schema.ts'

/**
 * For the hottest lookups: building a query costs more than running it, so it is built at the
 * first use, around holes, and from then on only the holes are filled.
 */
export function compiledQuery<Values extends unknown[], Row>(
  db: Kysely<Database>,
  build: (...holes: Values) => Compilable<Row>,
): (...values: Values) => Promise<Row | undefined> {
  const holes: unknown[] = Array.from({ length: build.length }, () => Symbol('hole'))
  let compiled: CompiledQuery<Row> | undefined
  return async (...values) => {
    compiled ??= build(...(holes as Values)).compile()
    const parameters = compiled.parameters.map((parameter) => {
      const hole = holes.indexOf(parameter)
      return hole < 0 ? parameter : values[hole]
    })
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows[0]
  }
}

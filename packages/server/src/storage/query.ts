import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
import { type Handle, kyselyOf } from './handle.ts'
import type { Database } from './schema.ts'
import type { Statement } from './statements.ts'

/*
 * Building a query with Kysely costs more than running it. So each query is built once per process
 * and dialect, with a hole in place of every value. Each call then only fills the holes. A value is
 * a plain value or a row of plain values. If the SQL depends on a value, write a function over
 * `kyselyOf` instead.
 */

type Build<Values extends unknown[], Row> = (
  db: Kysely<Database>,
  ...values: Values
) => Compilable<Row>

type Query<Values extends unknown[], Result> = (
  handle: Handle,
  ...values: Values
) => Promise<Result>

/** A query that returns its first row, or undefined. */
export function one<Values extends unknown[], Row>(
  build: Build<Values, Row>,
): Query<Values, Row | undefined> {
  const run = prepared(build, { first: true })
  // Cheaper than an async function: every request with a credential passes here.
  return (handle, ...values) => run(handle, values).then(firstRow)
}

const firstRow = <Row>({ rows }: QueryResult<Row>): Row | undefined => rows[0]

/** An insert that returns its row. */
export function inserted<Values extends unknown[], Row>(
  build: Build<Values, Row>,
): Query<Values, Row> {
  const run = one(build)
  return async (...given) => {
    const row = await run(...given)
    if (!row) throw new Error('A row was not inserted.')
    return row
  }
}

/** A query that returns all rows. */
export function many<Values extends unknown[], Row>(
  build: Build<Values, Row>,
): Query<Values, Row[]> {
  const run = prepared(build, { first: false })
  return async (handle, ...values) => (await run(handle, values)).rows
}

/** A query that returns true if it found or changed a row. */
export function whether<Values extends unknown[]>(
  build: Build<Values, unknown>,
): Query<Values, boolean> {
  const run = prepared(build, { first: true })
  return async (handle, ...values) => (await run(handle, values)).rows.length > 0
}

/** A change without a result. */
export function change<Values extends unknown[]>(
  build: Build<Values, unknown>,
): Query<Values, void> {
  const run = prepared(build, { first: true })
  return async (handle, ...values) => {
    await run(handle, values)
  }
}

/**
 * A compiled query, and for each parameter the function that finds its value. Null if the values
 * themselves are the parameters, in their order, as they are for most queries.
 */
type Plan<Row> = {
  compiled: CompiledQuery<Row>
  fill: readonly ValueIn[] | null
  /** How many it was made for. */
  values: number
}

type ValueIn = (values: unknown[]) => unknown

function prepared<Values extends unknown[], Row>(
  build: Build<Values, Row>,
  { first }: { first: boolean },
) {
  const plans = new Map<object, Map<string, Plan<Row>>>()

  return (handle: Handle, values: Values): Promise<QueryResult<Row>> => {
    try {
      const db = kyselyOf(handle)
      const { compiled, fill } = planFor(db, values)
      const { sql, query, queryId } = compiled
      const parameters = fill ? fill.map((valueIn) => valueIn(values)) : values
      // Spreading the compiled query would take a tenth of the time of the statement.
      const statement: Statement = { sql, query, queryId, parameters, first }
      return db.executeQuery<Row>(statement)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  function planFor(db: Kysely<Database>, values: Values): Plan<Row> {
    const dialect = db.getExecutor().adapter.constructor
    // Most queries take plain values only, and these have one form.
    const form = values.some(isRow) ? values.map(formOf).join(' ') : ''
    const known = plans.get(dialect)?.get(form)
    if (known?.values === values.length) return known
    if (known)
      throw new Error('A query takes as many values each time: its SQL would depend on it.')
    const plan = makePlan(db, values)
    const ofDialect = plans.get(dialect) ?? new Map<string, Plan<Row>>()
    plans.set(dialect, ofDialect.set(form, plan))
    return plan
  }

  function makePlan(db: Kysely<Database>, values: Values): Plan<Row> {
    const holes = new Map<unknown, ValueIn>()
    const hole = (valueIn: ValueIn): symbol => {
      const mark = Symbol('hole')
      holes.set(mark, valueIn)
      return mark
    }
    const withHoles = values.map((value, i) => {
      const columns = columnsOf(value)
      if (!columns) return hole((all) => all[i])
      const cell = (column: string) => hole((all) => (all[i] as Cells)[column])
      return Object.fromEntries(columns.map((column) => [column, cell(column)]))
    })
    const compiled = build(db, ...(withHoles as Values)).compile()
    const { parameters } = compiled
    const isInOrder =
      parameters.length === values.length && parameters.every((one, i) => one === withHoles[i])
    const fill = parameters.map((parameter) => holes.get(parameter) ?? (() => parameter))
    return { compiled, fill: isInOrder ? null : fill, values: values.length }
  }
}

type Cells = Record<string, unknown>

const isRow = (value: unknown): value is Cells => typeof value === 'object' && value !== null

/** The columns of a row; null for a plain value. Undefined columns are left out. */
function columnsOf(value: unknown): string[] | null {
  // A list would be taken for a row with the columns 0, 1 and so on.
  if (Array.isArray(value)) throw new Error('A query takes no list: its SQL would depend on it.')
  return isRow(value) ? Object.keys(value).filter((column) => value[column] !== undefined) : null
}

/** Rows with the same columns share a query. */
const formOf = (value: unknown): string => columnsOf(value)?.join() ?? ''

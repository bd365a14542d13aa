import pg from 'pg'
import { type Row, rowMaker } from './row-maker.ts'

/** A statement that the server keeps under a name. */
export type NamedStatement = { name: string; text: string; values: readonly unknown[] }

export type Answer = { command: string; rowCount: number | null; rows: Row[] }

/** How the rows of a statement are read. */
type Layout = { parsers: readonly Parse[]; toRow(values: readonly unknown[]): Row }

type Parse = (text: string) => unknown
type Settle = { resolve(answer: Answer): void; reject(error: unknown): void }
type Field = { name: string; dataTypeID: number }

/** The layouts of the statements that one connection has executed, by name. */
export type Layouts = Map<string, Layout>

/** The part of the driver's connection that we use. The driver does not declare it. */
type Wire = {
  stream: { cork(): void; uncork(): void }
  parsedStatements: Record<string, string | undefined>
  parse(statement: { name: string; text: string }): void
  bind(bound: { statement: string; values: readonly unknown[] }): void
  describe(portal: { type: 'P'; name: string }): void
  execute(portal: object): void
  sync(): void
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } })
  .utils

/** Our 64-bit integers are times and counts, which a JavaScript number holds exactly. */
const INT8 = 20

export const parserFor = (type: number): Parse =>
  type === INT8 ? Number : pg.types.getTypeParser(type)

/**
 * The driver's query for named statements, with one difference: the server describes the columns only
 * the first time. The driver asks again each time, and prepares to read twenty columns for a single
 * row, which takes longer than reading it. If a table has changed since, the server refuses the name.
 */
export class NamedQuery implements pg.Submittable {
  /** The driver notes that it has been parsed. */
  readonly name: string
  readonly text: string
  readonly #values: readonly unknown[]
  readonly #layouts: Layouts
  readonly #settle: Settle
  #layout: Layout | undefined
  readonly #answer: Answer = { command: '', rowCount: 0, rows: [] }

  constructor({ name, text, values }: NamedStatement, layouts: Layouts, settle: Settle) {
    this.name = name
    this.text = text
    this.#values = values
    this.#layouts = layouts
    this.#layout = layouts.get(name)
    this.#settle = settle
  }

  /** Returns the error if a value cannot be sent. Then nothing is. */
  submit(connection: unknown): unknown {
    const { name, text } = this
    const wire = connection as Wire
    let values: readonly unknown[]
    try {
      values = this.#values.map((value) => prepareValue(value))
    } catch (error) {
      return error
    }
    // One packet.
    wire.stream.cork()
    try {
      if (wire.parsedStatements[name] === undefined) wire.parse({ name, text })
      wire.bind({ statement: name, values })
      if (!this.#layout) wire.describe({ type: 'P', name: '' })
      wire.execute({})
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
    return null
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#layout = {
      parsers: fields.map(({ dataTypeID }) => parserFor(dataTypeID)),
      toRow: rowMaker(fields.map(({ name }) => name)),
    }
    this.#layouts.set(this.name, this.#layout)
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    // The server has described them before.
    const { parsers, toRow } = this.#layout as Layout
    for (let i = 0; i < fields.length; i++) {
      const parse = parsers[i]
      if (parse && fields[i] !== null) fields[i] = parse(fields[i] as string)
    }
    this.#answer.rows.push(toRow(fields))
  }

  /** `UPDATE 1`. An `INSERT 0 1` has one more number. */
  handleCommandComplete({ text }: { text: string }): void {
    const [command = '', ...numbers] = text.split(' ')
    this.#answer.command = command
    this.#answer.rowCount = Number(numbers.at(-1) ?? 0)
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.#answer)
  }

  handleError(error: unknown): void {
    this.#settle.reject(error)
  }
}

import { LIMIT_MAX } from '../features/administration/operation.ts'
import type { OperationName, OutputOfOperation } from '../features/administration/operations.ts'
import { csvLine } from '../kernel/csv.ts'
import { type Command, type CommandCall, command, type Options } from './command.ts'
import { writeAll } from './io.ts'
import { settingsOptions } from './load-settings.ts'
import { type Columns, rowOf, table } from './output.ts'
import { usageRefusal } from './refusal.ts'
import { type Operations, withOperations } from './with-operations.ts'

type RowOf<N extends OperationName> =
  OutputOfOperation<N> extends { results: (infer Row)[] } ? Row : never

type Values = Readonly<Record<string, unknown>>

type List<Row, Item> = {
  readonly columns: Columns<Item>
  /** What `--json` prints of a row. */
  readonly item: (row: Row, operations: Operations) => Item
  /** Options with the names of the filters that the operation takes. */
  readonly filters?: Options
  /** Turns what people write into the filters of the operation, where the two differ. */
  readonly meaning?: (filters: Values, operations: Operations) => Promise<Values>
}

const options = {
  limit: { type: 'optional', placeholder: '<n>', doc: 'List at most this many; without it, all' },
  csv: { type: 'flag', doc: 'Print everything as CSV, for spreadsheets' },
  ...settingsOptions,
} as const satisfies Options

/** A command that prints the list of an operation page by page, since it may be long. */
export const listCommand = <N extends OperationName, Item extends object>(
  operation: N,
  { columns, item, filters = {}, meaning = async (given) => given }: List<RowOf<N>, Item>,
): Command =>
  command({
    options: { ...filters, ...options } as typeof options,
    run: (call) =>
      withOperations(call, async (operations) => {
        const { csv, limit } = call.values
        if (csv && call.json) throw usageRefusal('--csv and --json cannot be used together.')
        const given = givenOf(filters, call)
        const filter = await meaning(given, operations)
        const pages = pagesOf(
          async (page) =>
            (await operations.run(operation, null, { ...filter, ...page })) as Page<RowOf<N>>,
          mostOf(limit),
        )
        const format = () => {
          if (csv) return asCsv(pages, operations.columnsOf(operation))
          const itemOf = (row: RowOf<N>) => item(row, operations)
          return call.json ? asJson(pages, itemOf) : asTable(pages, itemOf, columns)
        }
        const { stdout } = call.io
        const output = csv && stdout.writeData ? { write: stdout.writeData } : stdout
        for await (const text of format()) await writeAll(output, text)
      }),
  })

function givenOf(filters: Options, { values }: CommandCall): Values {
  const given = Object.keys(filters).map((name) => [name, values[name]] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

function mostOf(limit: string | undefined): number {
  const most = Number(limit ?? Number.POSITIVE_INFINITY)
  if (most >= 1 && (limit === undefined || Number.isInteger(most))) return most
  throw usageRefusal('--limit must be a whole number, at least 1.')
}

type Page<Row> = { readonly results: readonly Row[]; readonly next: string | null }
type Asked = { readonly limit: string; readonly after?: string }

async function* pagesOf<Row>(
  read: (page: Asked) => Promise<Page<Row>>,
  most: number,
): AsyncGenerator<readonly Row[]> {
  let left = most
  let after: string | null = null
  do {
    const limit = String(Math.min(left, LIMIT_MAX))
    const { results, next }: Page<Row> = await read({ limit, ...(after && { after }) })
    // Not every operation has pages.
    yield results.slice(0, left)
    left -= results.length
    after = next
  } while (after !== null && left > 0)
}

type Texts = AsyncGenerator<string>

async function* asJson<Row>(
  pages: AsyncIterable<readonly Row[]>,
  item: (row: Row) => object,
): Texts {
  let before = '['
  for await (const page of pages) {
    for (const row of page) {
      yield `${before}\n  ${JSON.stringify(item(row))}`
      before = ','
    }
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

async function* asTable<Row, Item>(
  pages: AsyncIterable<readonly Row[]>,
  item: (row: Row) => Item,
  columns: Columns<Item>,
): Texts {
  let header = [Object.keys(columns)]
  for await (const page of pages) {
    const rows = page.map((row) => rowOf(item(row), columns))
    yield table([...header, ...rows])
    header = []
  }
}

async function* asCsv<Row>(
  pages: AsyncIterable<readonly Row[]>,
  columns: readonly string[],
): Texts {
  let text = csvText(columns)
  for await (const page of pages) {
    for (const row of page) text += csvText(columns.map((name) => row[name as keyof Row]))
    yield text
    text = ''
  }
}

/** With a line feed alone: the output of commands shows a carriage return as text. */
const csvText = (values: readonly unknown[]): string => `${csvLine(values).trimEnd()}\n`

import { expect, test, vi } from 'vitest'
import { type Answer, type Layouts, NamedQuery } from '../../src/storage/postgres-query.ts'

const BIGINT = 20
const TEXT = 25
const BOOLEAN = 16
const STATEMENT = { name: 'by_id', text: 'select n, word, flag from t where n = $1', values: [1] }
const FIELDS = [
  { name: 'n', dataTypeID: BIGINT },
  { name: 'word', dataTypeID: TEXT },
  { name: 'flag', dataTypeID: BOOLEAN },
]

/** A connection of the driver that only notes what it would send. */
function openWire() {
  const parsedStatements: Record<string, string> = {}
  const sent: string[] = []
  const note = (what: string) => () => void sent.push(what)
  return {
    sent,
    parsedStatements,
    stream: { cork: vi.fn(), uncork: vi.fn() },
    parse: note('parse'),
    bind: ({ values }: { values: unknown[] }) => void sent.push(`bind ${values.join()}`),
    describe: note('describe'),
    execute: note('execute'),
    sync: note('sync'),
  }
}

function open(statement: ConstructorParameters<typeof NamedQuery>[0], layouts: Layouts) {
  const resolve = vi.fn<(answer: Answer) => void>()
  const reject = vi.fn<(error: unknown) => void>()
  return { query: new NamedQuery(statement, layouts, { resolve, reject }), resolve, reject }
}

test('the server parses and describes a statement once per connection', () => {
  const wire = openWire()
  const layouts: Layouts = new Map()

  const first = open(STATEMENT, layouts)
  expect(first.query.submit(wire)).toBeNull()
  expect(wire.sent).toEqual(['parse', 'bind 1', 'describe', 'execute', 'sync'])
  first.query.handleRowDescription({ fields: FIELDS })
  first.query.handleDataRow({ fields: ['1700000000000', '12', 't'] })
  first.query.handleCommandComplete({ text: 'SELECT 1' })
  first.query.handleReadyForQuery()
  const row = { n: 1_700_000_000_000, word: '12', flag: true }
  expect(first.resolve.mock.calls).toEqual([[{ command: 'SELECT', rowCount: 1, rows: [row] }]])

  wire.parsedStatements[STATEMENT.name] = STATEMENT.text
  wire.sent.length = 0
  const second = open({ ...STATEMENT, values: [2] }, layouts)
  second.query.submit(wire)
  expect(wire.sent).toEqual(['bind 2', 'execute', 'sync'])
  second.query.handleDataRow({ fields: [null, null, 'f'] })
  second.query.handleCommandComplete({ text: 'SELECT 1' })
  second.query.handleReadyForQuery()
  const answer = second.resolve.mock.calls[0]?.[0]
  expect(answer?.rows).toEqual([{ n: null, word: null, flag: false }])

  // Another connection knows nothing of it.
  wire.sent.length = 0
  open(STATEMENT, new Map()).query.submit({ ...wire, parsedStatements: {} })
  expect(wire.sent).toEqual(['parse', 'bind 1', 'describe', 'execute', 'sync'])
})

test.each([
  ['INSERT 0 2', { command: 'INSERT', rowCount: 2 }],
  ['UPDATE 3', { command: 'UPDATE', rowCount: 3 }],
  ['DELETE 0', { command: 'DELETE', rowCount: 0 }],
])('"%s" tells how many rows it has changed', (text, told) => {
  const { query, resolve } = open(STATEMENT, new Map())
  query.handleCommandComplete({ text })
  query.handleReadyForQuery()
  expect(resolve.mock.calls).toEqual([[{ ...told, rows: [] }]])
})

test('a value that cannot be sent is an error, and nothing is sent', () => {
  const wire = openWire()
  const unsendable = {
    toPostgres() {
      throw new Error('no such value')
    },
  }
  const { query } = open({ ...STATEMENT, values: [unsendable] }, new Map())
  expect(query.submit(wire)).toEqual(new Error('no such value'))
  expect(wire.sent).toEqual([])
  expect(wire.stream.cork).not.toHaveBeenCalled()
})

test('an error of the server is passed on', () => {
  const { query, reject, resolve } = open(STATEMENT, new Map())
  const error = new Error('duplicate key')
  query.handleError(error)
  expect(reject.mock.calls).toEqual([[error]])
  expect(resolve).not.toHaveBeenCalled()
})

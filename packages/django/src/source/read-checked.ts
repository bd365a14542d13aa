import { isUtf8 } from 'node:buffer'
import type LibsqlDatabase from 'libsql'
import { chunks } from '../../../server/src/kernel/chunks.ts'
import { allRowsOf } from '../../../server/src/storage/sqlite-statements.ts'

/** The columns of a row whose text is not valid UTF-8. Unreadable bytes were replaced. */
export const DAMAGED = Symbol('damaged')

type Row = Record<string, unknown> & { [DAMAGED]?: readonly string[] }

type Read = (parameters: readonly unknown[]) => Row[]

/**
 * Runs a query on SQLite, which stores any bytes as text. The driver ends the process if text is not
 * valid UTF-8, and rounds large integers. So all values are first read as one blob, and only if that is
 * not valid UTF-8, or an integer was rounded, each value is read separately.
 */
export function readChecked(database: LibsqlDatabase.Database, text: string): Read {
  const statement = database.prepare(text)
  const names = statement.columns().map(({ name }) => name)
  const columns = names.map((name) => `"${name.replaceAll('"', '""')}"`)
  const joined = `group_concat(${concatenated(chunks(columns, 100).map(concatenated))}, char(10))`
  const joinedTexts = database.prepare(`select cast(${joined} as blob) as texts from (${text})`)
  const read = allRowsOf(statement)
  return (parameters) => {
    const [row] = joinedTexts.all(parameters) as { texts: ArrayBuffer | null }[]
    const isValid = !row?.texts || isUtf8(Buffer.from(row.texts))
    const rows = isValid ? read(parameters) : []
    const isExact = isValid && !rows.some((one) => names.some((name) => isRounded(one[name])))
    return isExact ? rows : readEach(parameters)
  }

  function readEach(parameters: readonly unknown[]): Row[] {
    const values = columns.flatMap((column, i) => [
      `typeof(${column}) as type${i}`,
      `case typeof(${column}) when 'text' then cast(${column} as blob) else ${column} end as value${i}`,
    ])
    const statement = database.prepare(`select ${values.join(', ')} from (${text})`).safeIntegers()
    return (statement.all(parameters) as Row[]).map((row) => decoded(withNumbers(row)))
  }

  function decoded(row: Row): Row {
    const damaged: string[] = []
    const entries = names.map((name, i) => {
      const value = row[`value${i}`]
      if (row[`type${i}`] !== 'text') return [name, value]
      const bytes = Buffer.from(value as ArrayBuffer)
      if (!isUtf8(bytes)) damaged.push(name)
      return [name, bytes.toString()]
    })
    return { ...Object.fromEntries(entries), ...(damaged.length > 0 && { [DAMAGED]: damaged }) }
  }
}

const isRounded = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)

/** An integer that no number can hold exactly becomes text, as the driver of PostgreSQL returns it. */
function withNumbers(row: Row): Row {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'bigint') continue
    const number = Number(value)
    row[name] = Number.isSafeInteger(number) ? number : String(value)
  }
  return row
}

/** A function of SQLite takes at most 127 values. */
const concatenated = (values: readonly string[]): string =>
  `concat_ws(char(10), ${values.join(', ')})`

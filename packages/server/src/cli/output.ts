import { isObject } from '../kernel/json-object.ts'
import { visible } from '../kernel/texts.ts'
import type { Io } from './io.ts'

/** A table. Each column is as wide as its widest cell. */
export function table(cells: readonly (readonly string[])[], indent = ''): string {
  // A line break in a name would otherwise look like a new row.
  const rows = cells.map((row) => row.map(visible))
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length)
    }
  }
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => `${indent}${line(row).trimEnd()}\n`).join('')
}

/** A value as people read it. */
export function cellOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ') || '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (isObject(value))
    return Object.entries(value)
      .map((pair) => pair.join('='))
      .join(' ')
  return String(value ?? '') || '-'
}

/** The headers of a table, and the values of their cells. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => unknown>>

export const rowOf = <Item>(item: Item, columns: Columns<Item>): string[] =>
  Object.values(columns).map((valueIn) => cellOf(valueIn(item)))

/** A table with a header. If there are no items, `none` says so. */
export const listing = <Item>(
  columns: Columns<Item>,
  items: readonly Item[],
  none?: string,
): string =>
  (items.length === 0 && none) ||
  table([Object.keys(columns), ...items.map((item) => rowOf(item, columns))]).trimEnd()

/** The text with a capital letter at its beginning. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const BAR_WIDTH = 30
const LINES = 10

/** Shows progress on standard error: a bar on a terminal, otherwise a line for every tenth. */
export function progressOf(what: string, total: number, { stderr }: Io) {
  let tenths = 0

  return {
    at(done: number): void {
      const part = total === 0 ? 1 : Math.min(done / total, 1)
      if (stderr.redraw) {
        const full = Math.round(part * BAR_WIDTH)
        const bar = '#'.repeat(full).padEnd(BAR_WIDTH, '.')
        stderr.redraw(`${what} [${bar}] ${done}/${total}`)
      } else if (Math.floor(part * LINES) > tenths) {
        tenths = Math.floor(part * LINES)
        stderr.write(`${what}: ${done} of ${total}\n`)
      }
    },

    end(): void {
      if (stderr.redraw) stderr.write('\n')
    },
  }
}

/** The text as one word of a POSIX shell, quoted only if necessary. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

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

/** A table with a header. If it has no rows, `none` says so. */
export const listing = (
  header: readonly string[],
  rows: readonly (readonly string[])[],
  none?: string,
): string => (rows.length === 0 && none) || table([header, ...rows]).trimEnd()

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

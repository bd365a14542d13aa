import { visible } from '../kernel/visible.ts'

/** Rows in columns that are as wide as their widest cell; each line ends in a line break. */
export function table(cells: readonly (readonly string[])[], indent = ''): string {
  // A line break in a name would otherwise make a row of its own.
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

import { visible } from '../kernel/visible.ts'

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

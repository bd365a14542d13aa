/** Spreadsheets run a cell that begins like this. */
const FORMULA = /^[=+\-@\t\r]/

/** Null is an empty cell, and what is neither text, number nor flag is JSON. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

/** A line of CSV (RFC 4180). */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cellOf).join(',')}\r\n`

export type Row = Record<string, unknown>

type ToRow = (values: readonly unknown[]) => Row

/** By the names of the columns. Values never make a new one, so there are not many. */
const known = new Map<string, ToRow>()

/**
 * Makes objects of arrays. The function is compiled for its columns, as drivers and serialisers often
 * do it: setting twenty keys one by one takes twenty times as long, and reading them is slower, too.
 */
export function rowMaker(columns: readonly string[]): ToRow {
  const members = columns.map((name, i) => `${JSON.stringify(name)}: values[${i}]`).join()
  const toRow = known.get(members) ?? (new Function('values', `return { ${members} }`) as ToRow)
  known.set(members, toRow)
  return toRow
}

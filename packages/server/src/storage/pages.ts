/** Reads rows in the order of their ids, a page at a time: all of them may not fit into memory. */
export async function* inPages<Row extends { id: number }>(
  read: (after: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined
  do {
    const page = await read(last?.id ?? 0)
    last = page.at(-1)
    if (last) yield page
  } while (last)
}

/**
 * How many turns of the event loop others got while the work was done. On SQLite, work has no turn of
 * its own: every query is answered at once.
 */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next = setImmediate(count)
  function count(): void {
    turns += 1
    next = setImmediate(count)
  }
  await work().finally(() => clearImmediate(next))
  return turns
}

import type { Tx } from '../storage/handle.ts'

/** A user here, and what they bring along from another service. */
export type Brought<Given> = { readonly userId: number; readonly given: Given }

/** Something that could not be adopted, in words for the operator. */
export type Loss = { readonly what: string; readonly why: string }

export type UserLoss = Loss & { readonly userId: number }

/**
 * One kind of data that users can bring along from another service, such as passkeys. An import
 * brings it once, and again when it has changed there.
 */
export type Adoptable<Given> = {
  /**
   * What users have here now, by user; no entry, or null, if they have none. If the mark differs from
   * the one after the last import, the user has changed the data here.
   */
  marks(userIds: readonly number[], tx: Tx): Promise<ReadonlyMap<number, unknown>>
  /** Replaces what these users have with what they bring. Returns what could not be adopted. */
  put(brought: readonly Brought<Given>[], tx: Tx): Promise<readonly UserLoss[]>
  /** Both sides changed the data, and ours wins. Removes the parts that must not survive. */
  merge?(brought: Brought<Given>, tx: Tx): Promise<void>
}

/** For data with several rows per user: the marks of a user are a list, one for each row. */
export function marksByUser<Row extends { user_id: number }>(
  rows: readonly Row[],
  markOf: (row: Row) => unknown,
): Map<number, unknown[]> {
  const marks = new Map<number, unknown[]>()
  for (const row of rows) marks.set(row.user_id, [...(marks.get(row.user_id) ?? []), markOf(row)])
  return marks
}

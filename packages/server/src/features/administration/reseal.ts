import { setImmediate as nextTurn } from 'node:timers/promises'
import { renewed, type Sealed } from '../../core/sealed.ts'
import { NAMED } from '../../kernel/texts.ts'
import { isUnavailable } from '../../storage/faults.ts'
import type { Handle } from '../../storage/handle.ts'
import {
  countOutdated,
  listOutdated,
  listSealed,
  replaceOutdated,
  type SealedRow,
} from '../../storage/sealed-columns.ts'
import { readPatiently, transaction } from '../../storage/transaction.ts'
import type { Context } from '../feature.ts'

export type Reseal = ReturnType<typeof createReseal>

/** Values that no known key opens. `userIds` has one more than a message names, if there are more. */
export type Unreadable = {
  table: string
  count: number
  /** Whether the table may have rows that were not read. */
  isPartial: boolean
  userIds: readonly number[]
}

/** One statement per row, so a batch must fit the deadline of a transaction on a distant database. */
const BATCH = 25
/** Opening this many values takes about four milliseconds. Requests wait meanwhile. */
const READ_BATCH = 200

/**
 * Seals values of former keys again, with the current key. After that the former keys can be
 * dropped. Finding them reads whole tables, which may take longer than a request may wait.
 */
export function createReseal({
  db,
  patientDb,
  sealedBox,
  everyFeature,
}: Pick<Context, 'db' | 'patientDb' | 'sealedBox' | 'everyFeature'>) {
  const { prefix } = sealedBox

  return {
    /** How many values are not sealed with the current key. */
    countOutdated: (): Promise<number> => readPatiently(patientDb, countIn),

    /** The same within the deadline of a request. Returns null if that is too short. */
    async countOutdatedInTime(): Promise<number | null> {
      try {
        return await countIn(db)
      } catch (error) {
        if (isUnavailable(error)) return null
        throw error
      }
    },

    /**
     * Whether a key that is not known here sealed one of the first values of a table. Damaged values
     * do not count: no key would open them.
     */
    async needsAnotherKey(): Promise<boolean> {
      for (const one of everyFeature.sealed()) {
        const rows = await listSealed(db, one, { after: null, most: READ_BATCH })
        if (rows.some((row) => sealedBox.needsAnotherKey(String(row[one.column] ?? ''))))
          return true
      }
      return false
    },

    /** Opens the sealed values of the first `most` rows of each table, and counts those that cannot be opened. */
    async unreadable({ most }: { most: number }): Promise<Unreadable[]> {
      const found: Unreadable[] = []
      for (const one of everyFeature.sealed()) {
        const lost = await unreadableIn(one, most)
        if (lost.count > 0) found.push(lost)
      }
      return found
    },

    /** Can be stopped at any time. The next run continues with the rest. */
    async run(note: (seen: number) => void, isStopping: () => boolean) {
      /** How many values of each table cannot be opened by any known key. */
      const unreadable: Record<string, number> = {}
      let resealed = 0
      let seen = 0
      for (const one of everyFeature.sealed()) {
        let after: SealedRow | null = null
        while (!isStopping()) {
          const page = { after, most: BATCH }
          const rows: SealedRow[] = await readPatiently(patientDb, (handle) =>
            listOutdated(handle, one, prefix, page),
          )
          after = rows.at(-1) ?? null
          if (after === null) break
          const done = await renewAll(one, rows)
          resealed += done
          if (done < rows.length) {
            unreadable[one.table] = (unreadable[one.table] ?? 0) + rows.length - done
          }
          seen += rows.length
          note(seen)
          // Otherwise no signal could stop it: SQLite answers at once.
          await nextTurn()
        }
      }
      return { resealed, unreadable, isDone: !isStopping() }
    },
  }

  async function countIn(handle: Handle): Promise<number> {
    let count = 0
    for (const one of everyFeature.sealed()) count += await countOutdated(handle, one, prefix)
    return count
  }

  async function unreadableIn(sealed: Sealed, most: number): Promise<Unreadable> {
    const { table } = sealed
    const users = new Set<number>()
    let count = 0
    let seen = 0
    let after: SealedRow | null = null
    for (;;) {
      const rows: SealedRow[] = await listSealed(db, sealed, { after, most: READ_BATCH })
      for (const row of rows.filter((one) => isUnreadable(sealed, one))) {
        count += 1
        if (row.user_id !== undefined && users.size <= NAMED) users.add(Number(row.user_id))
      }
      seen += rows.length
      const isPartial = rows.length === READ_BATCH
      if (!isPartial || seen >= most) return { table, count, isPartial, userIds: [...users] }
      after = rows.at(-1) ?? null
      await nextTurn()
    }
  }

  /** A batch is one short transaction. Returns how many values could be opened. */
  function renewAll(sealed: Sealed, rows: readonly SealedRow[]): Promise<number> {
    return transaction(db, async (tx) => {
      let done = 0
      for (const row of rows) {
        const changes = renewed(sealed, row, sealedBox)
        if (!changes) continue
        await replaceOutdated(tx, sealed, row, changes)
        done += 1
      }
      return done
    })
  }

  function isUnreadable(sealed: Sealed, row: SealedRow): boolean {
    const box = row[sealed.column]
    if (box === null) return false
    if (box === '') return sealed.blankIsUnreadable === true
    return renewed(sealed, row, sealedBox) === null
  }
}

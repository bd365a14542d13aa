import type { EveryFeature } from '../../core/every-feature.ts'
import type { Sealed } from '../../core/sealed.ts'
import type { SealedBox } from '../../crypto/sealed-box.ts'
import type { Db } from '../../storage/handle.ts'
import {
  countStale,
  listStale,
  replaceStale,
  type SealedRow,
} from '../../storage/sealed-columns.ts'
import { transaction } from '../../storage/transaction.ts'

type Needs = { db: Db; sealedBox: SealedBox; everyFeature: EveryFeature }

export type ResealResult = {
  resealed: number
  /** How many of each table no key opens that we have. */
  unreadable: Readonly<Record<string, number>>
  isDone: boolean
}

const BATCH = 200

/** Seals with the key in use what former keys sealed, so that those can be dropped. */
export function createReseal({ db, sealedBox, everyFeature }: Needs) {
  const { prefix } = sealedBox

  return {
    /** How many values a former key sealed, or a lost one. */
    async countStale(): Promise<number> {
      let count = 0
      for (const one of everyFeature.sealed()) count += await countStale(db, one, prefix)
      return count
    },

    /** Can be stopped at any time: what was done needs not be done again. */
    async run(note: (seen: number) => void, isStopping: () => boolean): Promise<ResealResult> {
      const unreadable: Record<string, number> = {}
      let resealed = 0
      let seen = 0
      for (const one of everyFeature.sealed()) {
        let after: SealedRow | null = null
        while (!isStopping()) {
          const rows: SealedRow[] = await listStale(db, one, prefix, { after, most: BATCH })
          after = rows.at(-1) ?? null
          if (after === null) break
          const done = await renewAll(one, rows)
          resealed += done
          if (done < rows.length) {
            unreadable[one.table] = (unreadable[one.table] ?? 0) + rows.length - done
          }
          seen += rows.length
          note(seen)
        }
      }
      return { resealed, unreadable, isDone: !isStopping() }
    },
  }

  /** A batch is one transaction, which is over soon; tells how many could be opened. */
  function renewAll(sealed: Sealed, rows: readonly SealedRow[]): Promise<number> {
    return transaction(db, async (tx) => {
      let done = 0
      for (const row of rows) {
        const changes = sealed.renew(row)
        if (!changes) continue
        await replaceStale(tx, sealed, row, changes)
        done += 1
      }
      return done
    })
  }
}

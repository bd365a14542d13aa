import { randomHex } from '../kernel/random.ts'
import type { Db } from './handle.ts'
import { change } from './query.ts'
import { transaction } from './transaction.ts'

/** Larger than the free space in existing pages, so that a full disk is noticed at once. */
const PROBE = 'x'.repeat(32_768)

const addProbe = change((db, key: string) =>
  db.insertInto('limits').values({ key, hits: PROBE, expires_at: 0 }),
)

const removeProbe = change((db, key: string) => db.deleteFrom('limits').where('key', '=', key))

/**
 * Throws if a write would fail, for example on a stand-by or on a disk that is full or read-only.
 * The same transaction deletes the row, so nobody ever sees it.
 */
export async function checkWritable(db: Db): Promise<void> {
  const key = `probe:${randomHex(16)}`
  await transaction(db, async (tx) => {
    await addProbe(tx, key)
    await removeProbe(tx, key)
  })
}

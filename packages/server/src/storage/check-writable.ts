import { randomHex } from '../kernel/random.ts'
import type { Db } from './handle.ts'
import { change } from './query.ts'
import { transaction } from './transaction.ts'

/** More than fits into the gaps of the pages that are there: a full disk shows at once. */
const PROBE = 'x'.repeat(32_768)

const addProbe = change((db, key: string) =>
  db.insertInto('limits').values({ key, hits: PROBE, expires_at: 0 }),
)

const removeProbe = change((db, key: string) => db.deleteFrom('limits').where('key', '=', key))

/**
 * Throws what a change would meet with: a stand-by, a disk that is full or read-only. The row is
 * gone with the end of the transaction, so nobody ever sees it.
 */
export async function checkWritable(db: Db): Promise<void> {
  const key = `probe:${randomHex(16)}`
  await transaction(db, async (tx) => {
    await addProbe(tx, key)
    await removeProbe(tx, key)
  })
}

import type { Kysely } from 'kysely'
import { randomHex } from '../kernel/random.ts'
import type { Database } from './schema.ts'
import { transaction } from './transaction.ts'

/** More than fits into the gaps of the pages that are there: a full disk shows at once. */
const PROBE = 'x'.repeat(32_768)

/**
 * Throws what a change would meet with: a stand-by, a disk that is full or read-only. The row is
 * gone with the end of the transaction, so nobody ever sees it.
 */
export async function checkWritable(db: Kysely<Database>): Promise<void> {
  const key = `probe:${randomHex(16)}`
  await transaction(db, async (trx) => {
    await trx.insertInto('limits').values({ key, hits: PROBE, expires_at: 0 }).execute()
    await trx.deleteFrom('limits').where('key', '=', key).execute()
  })
}

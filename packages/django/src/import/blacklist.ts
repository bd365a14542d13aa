import { DAY } from '../../../server/src/kernel/clock.ts'
import type { DjangoSource, Row } from '../source/source.ts'
import { textIn, timeIn } from '../source/values.ts'

const OUTSTANDING = 'token_blacklist_outstandingtoken'

/**
 * Refresh tokens that the project refuses, until they expire. Without USE_TZ the table does not say
 * in which zone its times are, so each token is kept for a day longer.
 */
export async function blacklistedIn(
  source: DjangoSource,
  rows: readonly Row[],
  now: number,
): Promise<{ jti: string; expiresAt: number }[]> {
  const ids = rows.map((row) => Number(row.token_id))
  const tokens = await source.rowsWith(OUTSTANDING, 'id', ids)
  return tokens.flatMap((token) => {
    const expiresAt = timeIn(token.expires_at)
    if (expiresAt === null || expiresAt + DAY <= now) return []
    return [{ jti: textIn(token.jti), expiresAt: expiresAt + DAY }]
  })
}

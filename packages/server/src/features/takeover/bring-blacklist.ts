import type { DjangoSource, Row } from '../../storage/django/source.ts'
import { textIn, timeIn } from '../../storage/django/values.ts'

const OUTSTANDING = 'token_blacklist_outstandingtoken'

/** Refresh tokens that the original refuses, until they expire. */
export async function blacklistedIn(
  source: DjangoSource,
  rows: readonly Row[],
  now: number,
): Promise<{ jti: string; expiresAt: number }[]> {
  const ids = rows.map((row) => Number(row.token_id))
  const tokens = await source.rowsWith(OUTSTANDING, 'id', ids)
  return tokens.flatMap((token) => {
    const expiresAt = timeIn(token.expires_at)
    return expiresAt !== null && expiresAt > now ? [{ jti: textIn(token.jti), expiresAt }] : []
  })
}

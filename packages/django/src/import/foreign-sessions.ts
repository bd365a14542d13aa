import { isSignedSession } from '../../../server/src/crypto/django/session.ts'
import { textIn, timeIn } from '../../../server/src/storage/django/values.ts'
import type { DjangoSource, Row } from '../source/source.ts'

/** Session keys are random, and so are the first of them. */
const SAMPLE = { key: 'session_key', after: null, most: 500 }

/** Whether a project has live sessions, and the keys have signed none that was looked at. */
export async function areSessionsForeign(
  source: DjangoSource,
  secretKeys: readonly string[],
  now: number,
): Promise<boolean> {
  if ((await source.columnsOf('django_session')).length === 0) return false
  const isLive = (row: Row) => (timeIn(row.expire_date) ?? 0) > now
  const live = (await source.page('django_session', SAMPLE)).filter(isLive)
  const isSigned = (row: Row) => isSignedSession(textIn(row.session_data), secretKeys)
  return live.length > 0 && !live.some(isSigned)
}

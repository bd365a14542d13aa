import { digest } from '../../crypto/digest.ts'
import { isOfPassword, readDjangoSession } from '../../crypto/django/session.ts'
import { readPk } from '../../kernel/ids.ts'
import type { DjangoSource, Row } from '../../storage/django/source.ts'
import { keyTextOf, type UserModel } from '../../storage/django/user-model.ts'
import { textIn, timeIn } from '../../storage/django/values.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Counts } from './counts.ts'
import { findIdsHere, findSeenSessions, putSeenSessions } from './takeover-queries.ts'

type LiveSession = { sourceKey: string; sessionKey: string; expiresAt: number }

type Needs = {
  source: DjangoSource
  model: UserModel
  secretKeys: readonly string[]
  sessions: Sessions
  /** The number of this import. */
  run: number
  now: number
}

/**
 * Brings over the sessions that the original would accept: signed by its key, not expired, and
 * opened with the password that the user still has there.
 */
export function createBringSessions(needs: Needs) {
  const { source, model, secretKeys, sessions, run, now } = needs

  return {
    /** Checks sessions against the source, before the transaction. */
    async live(rows: readonly Row[]): Promise<LiveSession[]> {
      const open = rows.flatMap((row) => {
        const expiresAt = timeIn(row.expire_date)
        const session = readDjangoSession(textIn(row.session_data), secretKeys)
        if (!session || expiresAt === null || expiresAt <= now) return []
        if (readPk(session.userId) === null) return []
        return [{ session, expiresAt, sessionKey: textIn(row.session_key) }]
      })
      const passwords = await passwordsOf(open.map(({ session }) => session.userId))
      return open.flatMap(({ session, ...rest }) => {
        const sourceKey = keyTextOf(session.userId)
        const password = passwords.get(sourceKey)
        const isGood = password !== undefined && isOfPassword(session, password, secretKeys)
        return isGood ? [{ ...rest, sourceKey }] : []
      })
    },

    async bring(live: readonly LiveSession[], counts: Counts, tx: Tx): Promise<void> {
      if (live.length === 0) return
      const found = await findIdsHere(tx, [...new Set(live.map(({ sourceKey }) => sourceKey))])
      const ids = new Map(
        found.filter((one) => one.is_active).map((one) => [one.source_key, one.id]),
      )
      const digests = live.map(({ sessionKey }) => digest(sessionKey))
      const seen = new Set((await findSeenSessions(tx, digests)).map((row) => row.digest))
      const young = live.flatMap(({ sourceKey, sessionKey, expiresAt }) => {
        const userId = ids.get(sourceKey)
        // One that was brought over before, and ended here since, stays ended.
        if (userId === undefined || seen.has(digest(sessionKey))) return []
        return [{ userId, sessionKey, expiresAt }]
      })
      await sessions.adoptOpened(young, tx)
      await putSeenSessions(
        tx,
        live.map(({ sessionKey, expiresAt }) => ({
          digest: digest(sessionKey),
          seen_in: run,
          expires_at: expiresAt,
        })),
      )
      counts.note('sessions', young.length)
    },
  }

  async function passwordsOf(userIds: readonly string[]): Promise<Map<string, string>> {
    const keys = [...new Set(userIds)].map((id) => (/^\d+$/.test(id) ? Number(id) : id))
    const rows = await source.rowsWith(model.table, model.key, source.keysOf(keys))
    return new Map(rows.map((row) => [keyTextOf(row[model.key]), textIn(row.password)]))
  }
}

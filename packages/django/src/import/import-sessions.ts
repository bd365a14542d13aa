import type { Adoptable } from '../../../server/src/core/adopt.ts'
import { digest } from '../../../server/src/crypto/digests.ts'
import type { OpenedElsewhere, Sessions } from '../../../server/src/features/sessions/sessions.ts'
import { type Pk, readPk } from '../../../server/src/kernel/ids.ts'
import type { Tx } from '../../../server/src/storage/handle.ts'
import { isOfPassword, isSignedSession, readDjangoSession } from '../map/session.ts'
import type { DjangoSource, Row } from '../source/source.ts'
import { keysThere, keyTextOf, type UserModel } from '../source/user-model.ts'
import { textIn, timeIn } from '../source/values.ts'
import type { Counts } from './counts.ts'
import { findIdsHere, findSeenSessions, putSeenSessions } from './import-queries.ts'
import { digestOf, digestThen, parsePartDigests } from './part-digests.ts'

export type ImportSessions = ReturnType<typeof createImportSessions>

type LiveSession = {
  sourceKey: string
  sessionKey: string
  expiresAt: number
  /** The hash that the user has in the project. */
  password: string
}

type Put = { run: number; counts: Counts; tx: Tx }

type Needs = {
  source: DjangoSource
  model: UserModel
  secretKeys: readonly string[]
  /** The backends whose sessions the project accepts. Null if they are not known. */
  backends: ReadonlySet<string> | null
  sessions: Sessions
  adoptPasswords: Pick<Adoptable<unknown>, 'marks'>
  now: number
}

/**
 * Imports the sessions that the project accepts: signed with its key, not expired, and opened with
 * the current password of the user.
 */
export function createImportSessions(needs: Needs) {
  const { source, model, secretKeys, backends, sessions, adoptPasswords, now } = needs

  return {
    /** Checks sessions against the project, before the transaction. */
    async live(rows: readonly Row[]): Promise<LiveSession[]> {
      const open = rows.flatMap((row) => {
        const expiresAt = timeIn(row.expire_date)
        const session = readDjangoSession(textIn(row.session_data), secretKeys)
        if (!session || expiresAt === null || expiresAt <= now) return []
        if (backends && !backends.has(session.backend ?? '')) return []
        const pk = readPk(session.userId)
        return pk === null ? [] : [{ pk, session, expiresAt, sessionKey: textIn(row.session_key) }]
      })
      const passwords = await passwordsOf(open.map(({ pk }) => pk))
      return open.flatMap(({ pk, session, ...rest }) => {
        const sourceKey = keyTextOf(pk)
        const password = passwords.get(sourceKey)
        const isGood = password !== undefined && isOfPassword(session, password, secretKeys)
        return isGood ? [{ ...rest, sourceKey, password }] : []
      })
    },

    /** `run` is the number of this import. */
    async put(live: readonly LiveSession[], { run, counts, tx }: Put): Promise<void> {
      if (live.length === 0) return
      const known = await findSeenSessions(
        tx,
        live.map(({ sessionKey }) => digest(sessionKey)),
      )
      const seen = new Map(known.map((row) => [row.digest, row.expires_at]))
      const opened = await ofActiveUsers(live, tx)
      // A session that was imported before and has ended here stays ended.
      const young = opened.filter(({ sessionKey }) => !seen.has(digest(sessionKey)))
      await sessions.adoptOpened(young, tx)
      for (const { sessionKey, expiresAt } of opened) {
        const before = seen.get(digest(sessionKey)) ?? expiresAt
        if (before < expiresAt) await sessions.extendOpened(digest(sessionKey), expiresAt, tx)
      }
      // Sessions of inactive users stay known. Otherwise those that ended here would come back after the ban.
      const stillLive = new Map(seen)
      for (const { sessionKey, expiresAt } of opened) stillLive.set(digest(sessionKey), expiresAt)
      await putSeenSessions(
        tx,
        [...stillLive].map(([key, until]) => ({ digest: key, seen_in: run, expires_at: until })),
      )
      counts.note('sessions', young.length)
    },
  }

  async function ofActiveUsers(live: readonly LiveSession[], tx: Tx): Promise<OpenedElsewhere[]> {
    if (live.length === 0) return []
    const found = await findIdsHere(tx, [...new Set(live.map(({ sourceKey }) => sourceKey))])
    const active = found.filter((one) => one.is_active)
    if (active.length === 0) return []
    const owners = new Map(active.map((one) => [one.source_key, one]))
    const marks = await adoptPasswords.marks(
      active.map(({ id }) => id),
      tx,
    )
    return live.flatMap(({ sourceKey, password, ...session }) => {
      const owner = owners.get(sourceKey)
      if (!owner) return []
      const [there, here] = parsePartDigests(owner.parts).password ?? []
      const isNew = digestThen(there) !== digestOf(password)
      // The next import brings this password and ends all sessions, so this one comes after it.
      if (isNew && here === digestOf(marks.get(owner.id))) return []
      return [{ ...session, userId: owner.id }]
    })
  }

  async function passwordsOf(pks: readonly Pk[]): Promise<Map<string, string>> {
    const keys = keysThere(model, [...new Set(pks)])
    const rows = await source.rowsWith(model.table, model.key, keys)
    return new Map(rows.map((row) => [keyTextOf(row[model.key]), textIn(row.password)]))
  }
}

/** Session keys are random, so the first ones are a fair sample. */
const SAMPLE = { key: 'session_key', after: null, most: 500 }

/** Whether the project has live sessions, but none in the sample was signed with these keys. */
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

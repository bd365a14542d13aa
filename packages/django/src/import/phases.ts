import type { SpentTokens } from '../../../server/src/features/jwt/spent-tokens.ts'
import type { Sessions } from '../../../server/src/features/sessions/sessions.ts'
import { DAY } from '../../../server/src/kernel/clock.ts'
import { ID_MAX } from '../../../server/src/kernel/ids.ts'
import type { Db, Tx } from '../../../server/src/storage/handle.ts'
import type { DjangoUser } from '../source/django-user.ts'
import { readUsers, readUsersWith } from '../source/read-users.ts'
import type { DjangoSource, Row } from '../source/source.ts'
import { keysThere, keyTextOf, pkOfKeyText } from '../source/user-model.ts'
import { textIn, timeIn } from '../source/values.ts'
import { type Counts, createCounts } from './counts.ts'
import { createFindings } from './findings.ts'
import type { ImportOrder } from './import-order.ts'
import {
  listConflicts,
  listImportedUsers,
  listImportedUsersWith,
  listKeptSuperusers,
  PARTS_OF_SUPERUSERS,
  putFindings,
  takeGoneSessions,
} from './import-queries.ts'
import type { ImportSessions } from './import-sessions.ts'
import type { ImportUsers } from './import-users.ts'
import type { Phase, Position, State } from './state.ts'
import { createMarkClaims } from './verified-addresses.ts'

/** Writes a batch and returns the new position of the import. */
type WriteBatch = (tx: Tx, counts: Counts) => Promise<Position>

/** Each phase reads its next batch from the project, before the transaction that writes it. */
type Phases = Readonly<Record<Exclude<Phase, 'done'>, (state: State) => Promise<WriteBatch>>>

type Needs = {
  order: ImportOrder
  handle: Db | Tx
  importUsers: ImportUsers
  importSessions: ImportSessions
  sessions: Sessions
  spentTokens: SpentTokens
  now: number
}

const BATCH = 500

/** Sorts after every key of a user, which consists of digits and the letters a to f. */
const LAST_KEY = 'z'

const beginOf = (phase: Phase): Position => ({ phase, after: null, seen: 0 })

export function createPhases(needs: Needs): Phases {
  const { order, handle, importUsers, importSessions, sessions, spentTokens, now } = needs
  const { source, model, origin } = order
  const markClaims = createMarkClaims(order)

  return {
    async users({ after, seen }) {
      const page = await readUsers(source, model, { origin, after, most: BATCH })
      const users = await markClaims(page.users)
      const { last } = page
      const from = after === null ? '' : keyTextOf(after)
      return async (tx, counts) => {
        await noteUnreadable(page.unreadable, tx)
        const imported = await listImportedUsers(
          tx,
          from,
          last === null ? LAST_KEY : keyTextOf(last),
        )
        await importUsers({ users, imported, waitsForOthers: true }, counts, tx)
        if (last === null) return beginOf('superusers')
        return { phase: 'users', after: last, seen: seen + users.length }
      }
    },

    /** Tries again to remove superusers who were the last one: a user who came later may be another. */
    async superusers() {
      const keys = (await listKeptSuperusers(handle)).map((row) => row.source_key)
      const users = await readAgain(keys)
      return async (tx, counts) => {
        const findings = createFindings(tx)
        for (const part of PARTS_OF_SUPERUSERS) await findings.forget(keys, part)
        const imported = await listImportedUsersWith(tx, keys)
        await importUsers({ users, imported }, counts, tx)
        return beginOf('conflicts')
      }
    },

    /** Tries names and addresses again: a user who came later may have given them up. */
    async conflicts({ after, seen }) {
      const rows = await listConflicts(handle, textIn(after), BATCH)
      const keys = rows.map((row) => row.source_key)
      const users = await readAgain(keys)
      return async (tx) => {
        // Only the first phase decides who is gone.
        const imported = await listImportedUsersWith(
          tx,
          users.map(({ key }) => key),
        )
        // These users were counted in the first phase.
        await importUsers({ users, imported }, createCounts(), tx)
        const last = keys.at(-1)
        if (last === undefined) return beginOf('sessions')
        return { phase: 'conflicts', after: last, seen: seen + keys.length }
      }
    },

    async sessions(state) {
      // Without a key no session can be read. Sessions of earlier imports stay.
      if (order.secretKeys.length === 0) return async () => beginOf('blacklist')
      const rows = await pageOf('django_session', 'session_key', state)
      const live = await importSessions.live(rows)
      return async (tx, counts) => {
        await importSessions.put(live, { run: state.run, counts, tx })
        if (rows.length === 0) return beginOf('ended_sessions')
        const after = textIn(rows.at(-1)?.session_key)
        return { phase: 'sessions', after, seen: state.seen + rows.length }
      }
    },

    async ended_sessions({ run, seen }) {
      return async (tx) => {
        const gone = await takeGoneSessions(tx, run, BATCH)
        await sessions.endByDigest(
          gone.map(({ digest }) => digest),
          tx,
        )
        if (gone.length === 0) return beginOf('blacklist')
        return { phase: 'ended_sessions', after: null, seen: seen + gone.length }
      }
    },

    async blacklist(state) {
      const rows = await pageOf('token_blacklist_blacklistedtoken', 'id', state)
      const tokens = await blacklistedIn(source, rows, now)
      return async (tx, counts) => {
        counts.note('blacklisted', await spentTokens.adopt(tokens, tx))
        if (rows.length === 0) return beginOf('done')
        const after = textIn(rows.at(-1)?.id)
        return { phase: 'blacklist', after, seen: state.seen + rows.length }
      }
    },
  }

  /** The users with these keys, if they still exist. */
  async function readAgain(keys: readonly string[]): Promise<readonly DjangoUser[]> {
    const pks = keys.map(pkOfKeyText).filter((pk) => pk !== null)
    return markClaims(await readUsersWith(source, model, origin, keysThere(model, pks)))
  }

  /** Empty if the project has no such table. */
  async function pageOf(table: string, key: string, { after }: State): Promise<Row[]> {
    if ((await source.columnsOf(table)).length === 0) return []
    return source.page(table, { key, after, most: BATCH })
  }
}

async function noteUnreadable(keys: readonly string[], tx: Tx): Promise<void> {
  if (keys.length === 0) return
  const why = `the primary key is neither a number up to ${ID_MAX} nor a UUID`
  const finding = { part: 'user', what: 'user', why, kind: 'lost' as const }
  await putFindings(
    tx,
    keys.map((key) => ({ ...finding, source_key: key, pk: key })),
  )
}

const OUTSTANDING = 'token_blacklist_outstandingtoken'

/**
 * Refresh tokens that the project refuses, until they expire. Without USE_TZ the table does not say
 * in which zone its times are, so each token is kept for a day longer.
 */
async function blacklistedIn(
  source: DjangoSource,
  rows: readonly Row[],
  now: number,
): Promise<{ jti: string; expiresAt: number }[]> {
  const ids = rows.map((row) => textIn(row.token_id))
  const tokens = await source.rowsWith(OUTSTANDING, 'id', ids)
  return tokens.flatMap((token) => {
    const expiresAt = timeIn(token.expires_at)
    if (expiresAt === null || expiresAt + DAY <= now) return []
    return [{ jti: textIn(token.jti), expiresAt: expiresAt + DAY }]
  })
}

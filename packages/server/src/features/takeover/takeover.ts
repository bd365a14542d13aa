import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EveryFeature } from '../../core/every-feature.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ID_MAX } from '../../kernel/ids.ts'
import type { DjangoOrigin } from '../../storage/django/django-user.ts'
import { readUsers } from '../../storage/django/read-users.ts'
import type { DjangoSource, Row } from '../../storage/django/source.ts'
import { keyTextOf, type UserModel } from '../../storage/django/user-model.ts'
import { textIn } from '../../storage/django/values.ts'
import type { Db, Tx } from '../../storage/handle.ts'
import { reserveIds } from '../../storage/reserve-ids.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Audit } from '../audit/audit.ts'
import type { SpentTokens } from '../jwt/spent-tokens.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { AdoptUsers, TakeoverRules } from '../users/takeover/adopt-users.ts'
import type { Users } from '../users/users.ts'
import { blacklistedIn } from './bring-blacklist.ts'
import { createBringSessions } from './bring-sessions.ts'
import { createBringUsers } from './bring-users.ts'
import { createCounts } from './counts.ts'
import { type Report, reportOf } from './report.ts'
import { holdState, keepState, nextState, type Phase, type State } from './state.ts'
import {
  countKnownUsers,
  dropFindingsOfKind,
  putFindings,
  takeGoneSessions,
} from './takeover-queries.ts'
import { verifiedAddresses } from './verified-addresses.ts'

/** A Django project, and how it is to be taken over. */
export type TakeoverOrder = {
  readonly source: DjangoSource
  readonly model: UserModel
  readonly origin: DjangoOrigin
  readonly rules: TakeoverRules
  /** Those that may have signed its sessions. */
  readonly secretKeys: readonly string[]
  readonly isDry: boolean
}

/** What the caller sees and decides while it runs. */
export type Watch = {
  note(phase: Phase, seen: number): void
  isStopping(): boolean
}

type Needs = {
  everyFeature: EveryFeature
  audit: Audit
  users: Users
  adoptUsers: AdoptUsers
  sessions: Sessions
  spentTokens: SpentTokens
  clock: Clock
}

const BATCH = 500

/** New users here get ids that the source will not give out for as long as both are running. */
const GAP = 1_000_000

/** After every key of a user, which has digits or the letters a to f. */
const LAST_KEY = 'z'

class DryRun extends Error {}

/**
 * Brings over a Django project in one pass, in the order of its keys and in batches. It can be
 * broken off, and repeated while the project still serves.
 */
export function createTakeover(needs: Needs) {
  const { everyFeature, sessions, spentTokens, clock } = needs

  return {
    /** How many users were brought over so far. */
    async countKnown(db: Db): Promise<number> {
      return Number((await countKnownUsers(db))?.count ?? 0)
    },

    /** `db` is one without deadlines: nobody waits for an answer. */
    async run(db: Db, order: TakeoverOrder, watch: Watch): Promise<Report> {
      if (!order.isDry) return runIn(db, order, watch, (work) => transaction(db, work))
      let report: Report | undefined
      try {
        // Later batches see what earlier ones would have written. Then all of it is undone.
        await transaction(db, async (tx) => {
          report = await runIn(tx, order, watch, (work) => work(tx))
          throw new DryRun()
        })
      } catch (error) {
        if (!(error instanceof DryRun) || !report) throw error
      }
      if (!report) throw new Error('The dry run made no report.')
      return report
    },
  }

  async function runIn(
    handle: Db | Tx,
    order: TakeoverOrder,
    { note, isStopping }: Watch,
    inBatch: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  ): Promise<Report> {
    const { source, model } = order
    const { state: first, stored: before, isResumed } = await nextState(handle)
    let state = first
    let stored = before
    if (!isResumed) {
      stored = await inBatch(async (tx) => {
        await holdState(tx, before)
        await prepare(order, tx)
        return keepState(tx, first)
      })
    }

    const bringUsers = createBringUsers({ ...needs, everyFeature, rules: order.rules })
    const now = clock.now()
    const bringSessions = createBringSessions({ ...order, sessions, run: state.run, now })

    while (state.phase === 'users' && !isStopping()) await usersBatch()
    while (state.phase === 'sessions' && !isStopping()) await sessionsBatch()
    while (state.phase === 'blacklist' && !isStopping()) await blacklistBatch()
    return reportOf(handle, { state, isResumed, isDone: state.phase === 'done' })

    /** Writes a batch and how far it came, together. Nothing is counted twice if it is repeated. */
    async function write(next: Omit<State, 'counts' | 'run'>, work: Work): Promise<void> {
      const written = await inBatch(async (tx) => {
        await holdState(tx, stored)
        const counts = createCounts(state.counts)
        await work(tx, counts)
        const after: State = { ...next, run: state.run, counts: counts.all() }
        return { state: after, stored: await keepState(tx, after) }
      })
      ;({ state, stored } = written)
      note(state.phase, state.seen)
      // SQLite answers at once, and so nothing else would get a turn until the end: no signal that
      // stops the import, and not the driver, which frees the memory of its statements then.
      await nextTurn()
    }

    async function usersBatch(): Promise<void> {
      const { after, seen } = state
      const page = await readUsers(source, model, { origin: order.origin, after, most: BATCH })
      const verifiedBy = await verifiedAddresses(order, page.users)
      const isLast = page.last === null
      const range = {
        after: after === null ? '' : keyTextOf(after),
        last: isLast ? LAST_KEY : keyTextOf(page.last),
      }
      const next = isLast
        ? ({ phase: 'sessions', after: null, seen: 0 } as const)
        : ({ phase: 'users', after: page.last, seen: seen + page.users.length } as const)
      await write(next, async (tx, counts) => {
        await noteUnreadable(page.unreadable, tx)
        await bringUsers({ ...range, users: page.users, verifiedBy }, counts, tx)
      })
    }

    async function sessionsBatch(): Promise<void> {
      // Nothing can be read without a key. What came with an earlier import stays.
      if (order.secretKeys.length === 0) return endSessions()
      const rows = await pageOf('django_session', 'session_key')
      if (rows.length === 0) return endGoneSessions()
      const live = await bringSessions.live(rows)
      const after = textIn(rows.at(-1)?.session_key)
      const next = { phase: 'sessions', after, seen: state.seen + rows.length } as const
      await write(next, (tx, counts) => bringSessions.bring(live, counts, tx))
    }

    async function endGoneSessions(): Promise<void> {
      let gone: { digest: string }[]
      do {
        gone = await inBatch(async (tx) => {
          const taken = await takeGoneSessions(tx, state.run, BATCH)
          await sessions.endByDigest(
            taken.map(({ digest }) => digest),
            tx,
          )
          return taken
        })
      } while (gone.length > 0)
      await endSessions()
    }

    function endSessions(): Promise<void> {
      return write({ phase: 'blacklist', after: null, seen: 0 }, async () => {})
    }

    async function blacklistBatch(): Promise<void> {
      const rows = await pageOf('token_blacklist_blacklistedtoken', 'id')
      const tokens = await blacklistedIn(source, rows, now)
      const after = Number(rows.at(-1)?.id)
      const next =
        rows.length === 0
          ? ({ phase: 'done', after: null, seen: 0 } as const)
          : ({ phase: 'blacklist', after, seen: state.seen + rows.length } as const)
      await write(next, async (tx, counts) => {
        counts.note('blacklisted', await spentTokens.adopt(tokens, tx))
      })
    }

    /** Empty if the project has no such table. */
    async function pageOf(table: string, key: string): Promise<Row[]> {
      if ((await source.columnsOf(table)).length === 0) return []
      return source.page(table, { key, after: state.after, most: BATCH })
    }
  }
}

type Work = (tx: Tx, counts: ReturnType<typeof createCounts>) => Promise<void>

/** What both sides have changed is found anew by each import. */
async function prepare({ source, model }: TakeoverOrder, tx: Tx): Promise<void> {
  await dropFindingsOfKind(tx, 'kept')
  const tables = [
    ...(model.kind === 'integer' ? [['users', model.table, model.key] as const] : []),
    ['passkeys', 'mfa_authenticator', 'id'] as const,
    ['social_accounts', 'socialaccount_socialaccount', 'id'] as const,
  ]
  for (const [here, there, key] of tables) {
    if ((await source.columnsOf(there)).length === 0) continue
    const highest = await source.highestId(there, key, ID_MAX)
    if (highest > 0) await reserveIds(tx, here, Math.min(highest + GAP, ID_MAX - 1))
  }
}

async function noteUnreadable(keys: readonly string[], tx: Tx): Promise<void> {
  if (keys.length === 0) return
  const why = 'the primary key is neither a number up to 2147483647 nor a UUID'
  const finding = { part: 'user', what: 'user', why, kind: 'lost' as const }
  await putFindings(
    tx,
    keys.map((key) => ({ ...finding, source_key: key, pk: key })),
  )
}

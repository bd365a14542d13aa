import { type Clock, DAY } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Db, Handle, Tx } from '../../storage/handle.ts'
import { afterCommit } from '../../storage/transaction.ts'
import {
  addEvent,
  countEventOfDay,
  forgetEventsOfUser,
  forgetEventsUntil,
  type NewEvent,
  newestEventsOfUser,
} from './audit-queries.ts'

export type { AuditRow } from './audit-queries.ts'

export type Audit = ReturnType<typeof createAudit>

/** What happened to an account, in plain words: `mfa_activated`, `passkey_possible_clone`. */
export type AuditEvent = {
  userId: number
  event: string
  details?: Readonly<Record<string, string | number>>
}

/** Long enough for whoever looks into it later; the log may be kept for longer. */
const KEEP_FOR = 365 * DAY

/**
 * Of one kind, for one user, on one day (UTC). Nobody fills the database by making the same thing
 * happen again and again; the first row of the day tells how often it was.
 */
export const KEPT_A_DAY = 10

type Needs = { db: Db; log: Log; clock: Clock }

/** A log line and a row for everything that an owner may want to know later; no secrets in it. */
export function createAudit({ db, log, clock }: Needs) {
  return {
    /** Within the transaction that caused it, if there is one. */
    async record({ userId, event, details = {} }: AuditEvent, within: Handle = db) {
      const row = { user_id: userId, at: clock.now(), event, details: JSON.stringify(details) }
      // Operators are few, and who changed an account must not get lost in a count.
      const isKept = 'operator' in details || (await isOneOfFew(row, within))
      if (isKept) await addEvent(within, row)
      afterCommit(within, () => log.info({ audit: event, user: userId, ...details }, 'audit'))
    },

    newestOfUser: (userId: number, count: number) => newestEventsOfUser(db, userId, count),

    forgetUser: (userId: number, tx: Tx) => forgetEventsOfUser(tx, userId),

    forgetOld: (most: number) => forgetEventsUntil(db, clock.now() - KEEP_FOR, most),
  }
}

/** Counting it may be enough, and adds the first. */
async function isOneOfFew(row: NewEvent, within: Handle): Promise<boolean> {
  const dayKey = `${row.user_id}:${row.event}:${Math.floor(row.at / DAY)}`
  const nth = await countEventOfDay(within, row, dayKey)
  return nth > 1 && nth <= KEPT_A_DAY
}

import { DAY } from '../../kernel/clock.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import { afterCommit } from '../../storage/transaction.ts'
import type { Context } from '../feature.ts'
import {
  addEvent,
  countEventOfDay,
  forgetEventsOfUser,
  type NewEvent,
  newestEventsOfUser,
} from './audit-queries.ts'

export type { AuditRow } from './audit-queries.ts'

export type Audit = ReturnType<typeof createAudit>

/** An event of an account, such as `mfa_activated` or `passkey_possible_clone`. */
export type AuditEvent = {
  userId: number
  event: string
  details?: Readonly<Record<string, string | number>>
}

/** Long enough for an investigation. The log may be kept for longer. */
export const KEEP_FOR = 365 * DAY

/**
 * The number of rows per kind, user and day (UTC). Otherwise a client could fill the database by
 * repeating the same event. The first row of the day counts all of them.
 */
export const KEPT_A_DAY = 10

/**
 * Writes a log line and a row for every event that an owner may want to know later. Neither holds
 * secrets.
 */
export function createAudit({ db, log, clock }: Pick<Context, 'db' | 'log' | 'clock'>) {
  return {
    /** Runs in the transaction that caused the event, if there is one. */
    async record({ userId, event, details = {} }: AuditEvent, within: Handle = db) {
      const row = { user_id: userId, at: clock.now(), event, details: JSON.stringify(details) }
      // Changes by operators are always kept: who changed an account must not be lost in a count.
      const isKept = 'operator' in details || (await isOneOfFew(row, within))
      if (isKept) await addEvent(within, row)
      afterCommit(within, () => log.info({ audit: event, user: userId, ...details }, 'audit'))
    },

    newestOfUser: (userId: number, count: number) => newestEventsOfUser(db, userId, count),

    forgetUser: (userId: number, tx: Tx) => forgetEventsOfUser(tx, userId),
  }
}

/** Counts the event, which adds the first row, and says whether this one gets a row of its own. */
async function isOneOfFew(row: NewEvent, within: Handle): Promise<boolean> {
  const dayKey = `${row.user_id}:${row.event}:${Math.floor(row.at / DAY)}`
  const nth = await countEventOfDay(within, row, dayKey)
  return nth > 1 && nth <= KEPT_A_DAY
}

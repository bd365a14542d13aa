import { type Clock, DAY } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { AuditStore } from './audit-store.ts'

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

/** A log line and a row for everything that an owner may want to know later; no secrets in it. */
export function createAudit(store: AuditStore, log: Log, clock: Clock) {
  return {
    /** Over the stores of the transaction that caused it, if there is one. */
    async record({ userId, event, details = {} }: AuditEvent, within: AuditStore = store) {
      const at = clock.now()
      const row = { user_id: userId, at, event, details: JSON.stringify(details) }
      const nth = await within.countOfDay(row, `${userId}:${event}:${Math.floor(at / DAY)}`)
      if (nth > 1 && nth <= KEPT_A_DAY) await within.add(row)
      within.afterCommit(() => log.info({ audit: event, user: userId, ...details }, 'audit'))
    },

    newestOfUser: store.newestOfUser,

    forgetOld: (most: number) => store.forgetUntil(clock.now() - KEEP_FOR, most),
  }
}

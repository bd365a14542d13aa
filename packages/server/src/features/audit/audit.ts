import { DAY } from '../../kernel/clock.ts'
import type { Handle } from '../../storage/handle.ts'
import { afterCommit } from '../../storage/transaction.ts'
import type { Context } from '../feature.ts'
import { addEvent, countEventOfDay, type NewEvent, newestEventsOfUser } from './audit-queries.ts'

export type { AuditRow } from './audit-queries.ts'

export type Audit = ReturnType<typeof createAudit>

/** An event of an account, such as `mfa_activated` or `passkey_possible_clone`. */
export type AuditEvent = {
  userId: number
  event: string
  details?: Readonly<Record<string, string | number>>
}

/** Who works on the command line, for the details of an event. */
export type Operator = {
  /** The user of the operating system. */
  readonly operator: string
  readonly host: string
  readonly sudo_user?: string
  /** The address of the operator's SSH client. */
  readonly ssh_client?: string
}

/** Says in the details of an event who caused it. Null stands for the user. */
export const causedBy = (operator: Operator | null): Operator | { readonly by: 'user' } =>
  operator ?? { by: 'user' }

/** Long enough for an investigation. */
export const KEEP_FOR = 365 * DAY

/**
 * The most rows per kind, user and day (UTC), so that a client cannot fill the database by repeating
 * an event. The first row of the day counts all of them.
 */
export const KEPT_A_DAY = 10

/** Writes a log line and a row, without secrets, for every event that the user may ask about. */
export function createAudit({ db, log, clock }: Pick<Context, 'db' | 'log' | 'clock'>) {
  return {
    /** Pass the transaction that caused the event, if there is one. */
    async record({ userId, event, details = {} }: AuditEvent, within: Handle = db) {
      const row = { user_id: userId, at: clock.now(), event, details: JSON.stringify(details) }
      // Changes by operators are always kept: a count would not tell who made them.
      const isKept = 'operator' in details || (await isOneOfFew(row, within))
      if (isKept) await addEvent(within, row)
      afterCommit(within, () => log.info({ audit: event, user: userId, ...details }, 'audit'))
    },

    newestOfUser: (userId: number, count: number) => newestEventsOfUser(db, userId, count),
  }
}

/** Counts the event, which adds the first row. Returns whether this one needs a row of its own. */
async function isOneOfFew(row: NewEvent, within: Handle): Promise<boolean> {
  const dayKey = `${row.user_id}:${row.event}:${Math.floor(row.at / DAY)}`
  const nth = await countEventOfDay(within, row, dayKey)
  return nth > 1 && nth <= KEPT_A_DAY
}

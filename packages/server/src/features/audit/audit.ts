import { Type } from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import { DAY, isoTime } from '../../kernel/clock.ts'
import type { Handle } from '../../storage/handle.ts'
import { afterCommit } from '../../storage/transaction.ts'
import type { Context } from '../feature.ts'
import {
  type AuditRow,
  addEvent,
  countEventOfDay,
  type NewEvent,
  newestEventsOfUser,
} from './audit-queries.ts'

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

export type ShownEvent = ReturnType<typeof shownEvent>

export const shownEvents = (rows: readonly AuditRow[]): ShownEvent[] => rows.map(shownEvent)

const shownEvent = ({ at, event, details, times }: AuditRow) => ({
  at: isoTime(at),
  event,
  details: JSON.parse(details) as Record<string, string | number>,
  // The other rows of that day were only counted.
  ...(times > KEPT_A_DAY && { times_that_day: times }),
})

const Event = Type.Object({
  at: Type.String({ format: 'date-time', examples: ['2030-01-01T12:00:00.000Z'] }),
  event: Type.String({ examples: ['password_changed'] }),
  details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    examples: [{}],
  }),
  times_that_day: Type.Optional(Type.Integer({ examples: [12] })),
})

export const historyEntry = (audit: Audit): DossierEntry => ({
  name: 'history',
  schema: Type.Array(Event),
  async read({ id }, most) {
    const events = shownEvents(await audit.newestOfUser(id, most))
    return events.map((event) => ({ ...event, details: withoutOperator(event.details) }))
  },
})

/** The name and the machine of an operator are not about the user. */
function withoutOperator(details: Record<string, string | number>) {
  const { operator, host: _host, sudo_user: _sudoUser, ssh_client: _sshClient, ...rest } = details
  return operator === undefined ? details : { ...rest, by: 'operator' }
}

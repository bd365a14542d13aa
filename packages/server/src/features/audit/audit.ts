import * as Type from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import { type Impersonation, pkOf } from '../../core/identity.ts'
import { Time } from '../../core/schemas.ts'
import { DAY, isoTime } from '../../kernel/clock.ts'
import type { Pk } from '../../kernel/ids.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { afterCommit } from '../../storage/transaction.ts'
import type { Context } from '../feature.ts'
import {
  type AuditRow,
  addEvent,
  countEventOfDay,
  type EventFilter,
  findDeleted,
  findEvents,
  forgetOperator,
  type NewEvent,
} from './audit-queries.ts'

export type { AuditRow } from './audit-queries.ts'

export type Audit = ReturnType<typeof createAudit>

/** An event of an account, such as `mfa_activated` or `passkey_possible_clone`. */
type AuditEvent = {
  /** `NO_USER` if the event is about no account. */
  userId: number
  /** The UUID of a user whose row is gone. */
  uuid?: string | null
  event: string
  details?: Readonly<Record<string, string | number>>
  /** Who caused it, if it was not the user. */
  operator?: Operator | null
  /** Of the events of one day with the same text here, only the first few are kept. */
  countedBy?: string
}

/** An event that is about no account, such as a new admin key. */
export const NO_USER = 0

export const OPERATOR_KINDS = ['cli', 'host', 'key', 'person', 'impersonation'] as const

/** Who acts on an account that is not theirs, for the audit. */
export type Operator = {
  readonly kind: (typeof OPERATOR_KINDS)[number]
  /** A user of the operating system, the name of a key, a username, or what the host says. */
  readonly name: string
  /** The pk of the user (`person`, `impersonation`), or the id of the key (`key`). */
  readonly pk?: Pk
  readonly address?: string
  readonly reason?: string
  /** The machine of a command. */
  readonly machine?: {
    readonly host: string
    readonly sudo_user?: string
    /** The address of the operator's SSH client. */
    readonly ssh_client?: string
  }
}

/** Says in an event who caused it. Null stands for the user. */
export const causedBy = (operator: Operator | null) =>
  operator ? { operator } : { details: { by: 'user' } }

/**
 * The most rows per kind, user and day (UTC), so that a client cannot fill the database by repeating
 * an event. The first row of the day counts all of them.
 */
const KEPT_A_DAY = 10

/** Writes a log line and a row, without secrets, for every event that the user may ask about. */
export function createAudit({ db, log, clock }: Pick<Context, 'db' | 'log' | 'clock'>) {
  return {
    /** Pass the transaction that caused the event, if there is one. */
    async record(audited: AuditEvent, within: Handle = db) {
      const { userId, uuid, event, details = {}, operator, countedBy } = audited
      const all = { ...detailsOf(operator), ...details }
      const row = {
        user_id: userId,
        ...(uuid && { user_uuid: uuid }),
        at: clock.now(),
        event,
        details: JSON.stringify(all),
        ...operatorColumns(operator),
      }
      // Changes by operators are always kept: a count would not tell who made them.
      const isAlwaysKept = operator && countedBy === undefined
      const isKept = isAlwaysKept || (await isOneOfFew(row, countedBy ?? String(userId), within))
      if (isKept) await addEvent(within, row)
      const by = operator && {
        by: operator.kind,
        operator: operator.name,
        address: operator.address,
      }
      afterCommit(within, () => log.info({ audit: event, user: userId, ...by, ...all }, 'audit'))
    },

    /** Of a deleted operator only the pk and the kind are kept. */
    forgetOperator: (pk: Pk, tx: Tx) => forgetOperator(tx, String(pk)),

    /** Newest first. */
    find: (filter: EventFilter, after: { at: number; id: number } | null, count: number) =>
      findEvents(db, filter, after, count),

    /** The id of a deleted user who had this UUID. */
    idOfDeleted: async (uuid: string) => (await findDeleted(db, uuid))?.user_id,

    newestOfUser: (userId: number, count: number) => findEvents(db, { userId }, null, count),
  }
}

/** Commands have always stored these, so their rows keep one form. */
const detailsOf = (operator?: Operator | null) =>
  operator?.kind === 'cli' ? { operator: operator.name, ...operator.machine } : {}

const operatorColumns = (operator?: Operator | null) => ({
  operator_kind: operator?.kind ?? null,
  operator_pk: operator?.pk === undefined ? null : String(operator.pk),
  operator_name: operator?.name ?? null,
  address: operator?.address ?? operator?.machine?.ssh_client ?? null,
  reason: operator?.reason ?? null,
})

/** Counts the event, which adds the first row. Returns whether this one needs a row of its own. */
async function isOneOfFew(row: NewEvent, countedBy: string, within: Handle): Promise<boolean> {
  const day_key = `${countedBy}:${row.event}:${Math.floor(row.at / DAY)}`
  const { times } = await countEventOfDay(within, { ...row, day_key })
  return times > 1 && times <= KEPT_A_DAY
}

export const shownEvent = (row: AuditRow) => ({
  at: isoTime(row.at),
  event: row.event,
  details: { ...operatorDetails(row), ...detailsIn(row) },
  // The other rows of that day were only counted.
  ...(row.times > KEPT_A_DAY && { times_that_day: row.times }),
})

const detailsIn = ({ details }: AuditRow) =>
  JSON.parse(details) as Readonly<Record<string, string | number>>

/** A deleted operator has lost their name. */
function operatorDetails(row: AuditRow): Record<string, string | number> {
  const { operator_kind: kind, operator_pk: pk, operator_name: name, address, reason } = row
  if (kind === null) return {}
  const why = reason === null ? {} : { reason }
  if (kind === 'cli') return why
  return {
    by: kind,
    ...((name ?? pk) !== null && { operator: name ?? pk ?? '' }),
    ...(address !== null && { address }),
    ...why,
  }
}

const Event = Type.Object({
  at: Time,
  event: Type.String({ examples: ['password_changed'] }),
  details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    examples: [{}],
  }),
  times_that_day: Type.Optional(Type.Integer({ examples: [12] })),
})

export const historyEntry = (audit: Audit): DossierEntry => ({
  name: 'history',
  schema: Type.Array(Event),
  async read(user, most) {
    return (await audit.newestOfUser(user.id, most)).map((row) => ({
      ...shownEvent(row),
      details: isByThemself(row, user) ? withAddress(row) : withoutOperator(row),
    }))
  },
})

/** Operators act on their own account when they log in at the admin. */
const isByThemself = ({ operator_kind, operator_pk }: AuditRow, user: User): boolean =>
  operator_kind === 'person' && operator_pk === String(pkOf(user))

const withAddress = (row: AuditRow): Record<string, string | number> => ({
  ...detailsIn(row),
  ...(row.address !== null && { address: row.address }),
})

/** The name, the machine and the words of an operator are not about the user. */
function withoutOperator(row: AuditRow): Record<string, string | number> {
  const { operator, host: _host, sudo_user: _sudo, ssh_client: _ssh, ...rest } = detailsIn(row)
  const isByOperator = operator !== undefined || row.operator_kind !== null
  return isByOperator ? { ...rest, by: 'operator' } : detailsIn(row)
}

/** An operator who uses the account of a user. */
export const impersonator = (
  { operator, reason }: Pick<Impersonation, 'operator' | 'reason'>,
  address: string | null,
): Operator => ({
  kind: 'impersonation',
  pk: pkOf(operator),
  name: operator.username,
  reason,
  ...(address !== null && { address }),
})

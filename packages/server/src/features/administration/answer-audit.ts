import * as Type from '@sinclair/typebox'
import { orNull, Time } from '../../core/schemas.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Pk } from '../../kernel/ids.ts'
import { type AuditRow, NO_USER, OPERATOR_KINDS } from '../audit/audit.ts'

/** A row of the audit. */
export const AuditEntry = Type.Object({
  id: Type.Integer({ examples: [1] }),
  at: Time,
  event: Type.String({ examples: ['user_deactivated'] }),
  user: Type.Union([Type.Integer(), Type.String(), Type.Null()], {
    description: 'The pk of the user, who may be deleted; null if it is about no user',
    examples: [2],
  }),
  operator: orNull(
    Type.Object({
      kind: Type.String({ enum: [...OPERATOR_KINDS] }),
      pk: orNull(Type.String()),
      name: orNull(Type.String()),
    }),
    {
      description: 'Null if the user caused it',
      examples: [{ kind: 'cli', pk: null, name: 'grace' }],
    },
  ),
  address: orNull(Type.String({ examples: ['192.0.2.7'] })),
  reason: orNull(Type.String({ examples: ['Ticket 4711'] })),
  details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    examples: [{}],
  }),
  times_that_day: Type.Integer({
    description: 'On the first event of a kind and day: how many there were, kept or not',
    examples: [1],
  }),
})

/** `pks` has the users who are not deleted. */
export const answerAudit = (rows: readonly AuditRow[], pks: ReadonlyMap<number, Pk>) =>
  rows.map((row) => ({
    id: row.id,
    at: isoTime(row.at),
    event: row.event,
    user: row.user_id === NO_USER ? null : (pks.get(row.user_id) ?? row.user_uuid),
    operator: row.operator_kind && {
      kind: row.operator_kind,
      pk: row.operator_pk,
      name: row.operator_name,
    },
    address: row.address,
    reason: row.reason,
    details: JSON.parse(row.details) as Record<string, string | number>,
    times_that_day: row.times,
  }))

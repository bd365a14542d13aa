import { Type } from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import { isoTime } from '../../kernel/clock.ts'
import { type Audit, type AuditRow, KEPT_A_DAY } from './audit.ts'

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

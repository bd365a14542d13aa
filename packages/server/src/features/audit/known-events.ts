import { Type } from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import type { Audit } from './audit.ts'
import { shownEvents } from './shown-events.ts'

const Event = Type.Object({
  at: Type.String({ format: 'date-time', examples: ['2030-01-01T12:00:00.000Z'] }),
  event: Type.String({ examples: ['password_changed'] }),
  details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    examples: [{}],
  }),
  times_that_day: Type.Optional(Type.Integer({ examples: [12] })),
})

/** What happened to the account. */
export const historyEntry = (audit: Audit): DossierEntry => ({
  name: 'history',
  schema: Type.Array(Event),
  async read({ id }, most) {
    const events = shownEvents(await audit.newestOfUser(id, most))
    return events.map((event) => ({ ...event, details: withoutOperator(event.details) }))
  },
})

/** The user learns that it was an operator. Who, and on which machine, is not about the user. */
function withoutOperator(details: Record<string, string | number>) {
  const { operator, host: _host, sudo_user: _sudoUser, ssh_client: _sshClient, ...rest } = details
  return operator === undefined ? details : { ...rest, by: 'operator' }
}

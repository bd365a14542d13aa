import { isoTime } from '../../kernel/clock.ts'
import { type AuditRow, KEPT_A_DAY } from './audit.ts'

export type ShownEvent = ReturnType<typeof shownEvent>

export const shownEvents = (rows: readonly AuditRow[]): ShownEvent[] => rows.map(shownEvent)

/** An event for programs. */
const shownEvent = ({ at, event, details, times }: AuditRow) => ({
  at: isoTime(at),
  event,
  details: JSON.parse(details) as Record<string, string | number>,
  // The first row of many: the others of that day were only counted.
  ...(times > KEPT_A_DAY && { times_that_day: times }),
})

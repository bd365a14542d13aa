import { type AuditRow, KEPT_A_DAY } from '../../features/audit/audit.ts'
import { isoTime } from '../../kernel/clock.ts'
import { table } from '../table.ts'

/** The events of an account, for programs. */
export const historyJson = (rows: readonly AuditRow[]) =>
  rows.map(({ at, event, details, times }) => ({
    at: isoTime(at),
    event,
    details: JSON.parse(details) as Record<string, string | number>,
    // Only the first events of a day are stored. The others are counted.
    ...(times > KEPT_A_DAY && { times_that_day: times }),
  }))

/** One line per event, newest first. Empty if there are no events. */
export function historyText(history: ReturnType<typeof historyJson>): string {
  if (history.length === 0) return ''
  const rows = history.map(({ at, event, details, times_that_day }) => [
    at,
    event,
    wordsOf({ ...details, ...(times_that_day && { times_that_day }) }),
  ])
  return `\n${table(rows)}`
}

const wordsOf = (details: Record<string, string | number>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')

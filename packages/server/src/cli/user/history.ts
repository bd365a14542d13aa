import { type AuditRow, KEPT_A_DAY } from '../../features/audit/audit.ts'
import { isoTime } from '../../kernel/clock.ts'
import { table } from '../table.ts'

/** What happened to an account, as programs read it. */
export const historyJson = (rows: readonly AuditRow[]) =>
  rows.map(({ at, event, details, times }) => ({
    at: isoTime(at),
    event,
    details: JSON.parse(details) as Record<string, string | number>,
    // The first of many: the others of that day were counted only.
    ...(times > KEPT_A_DAY && { times_that_day: times }),
  }))

/** One line each, newest first; nothing for an account without a history. */
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

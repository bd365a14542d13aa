import type { ShownEvent } from '../../features/audit/history.ts'
import { table } from '../table.ts'

/** One line per event, newest first. Empty if there are no events. */
export function historyText(history: readonly ShownEvent[]): string {
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

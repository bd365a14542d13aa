import { type ShownEvent, shownEvents } from '../../features/audit/audit.ts'
import { table } from '../output.ts'
import { userJson, yesOrNo } from './user-json.ts'
import { userCommand } from './with-user.ts'

export const userShow = userCommand(async (call, user, accounts) => {
  const json = { ...userJson(user), ...accounts.valuesOf(user) }
  const rows = Object.entries(json).map(([name, value]) => [name, textOf(value)])
  const history = shownEvents(await accounts.history(user.id))
  const text = `${table(rows)}${historyText(history)}`
  call.say(text.trimEnd(), { ...json, history })
})

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ') || '-'
  if (value === null || value === '') return '-'
  return typeof value === 'boolean' ? yesOrNo(value) : String(value)
}

/** One line per event, newest first. Empty if there are no events. */
function historyText(history: readonly ShownEvent[]): string {
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

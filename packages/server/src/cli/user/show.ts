import { pkOf } from '../../core/identity.ts'
import { type ShownEvent, shownEvent } from '../../features/audit/audit.ts'
import { command } from '../command.ts'
import { listing, table } from '../output.ts'
import { withOperations } from '../with-operations.ts'
import { userJson, yesOrNo } from './user-json.ts'
import { findUser, pkIn, USER, userCommand, userOptions } from './with-user.ts'

export const userShow = userCommand({}, async (call, user, operations) => {
  const json = { ...userJson(user), ...operations.valuesOf(user) }
  const rows = Object.entries(json).map(([name, value]) => [name, textOf(value)])
  const history = (await operations.history(user.id)).map(shownEvent)
  const text = `${table(rows)}${historyText(history)}`
  call.say(text.trimEnd(), { ...json, history })
})

const HISTORY_LENGTH = 200

/** Also of a deleted user, whose pk is still known. */
export const userHistory = command({
  argument: USER,
  options: userOptions,
  run: (call) =>
    withOperations(call, async (operations) => {
      const { pk } = call.values
      const user = pk === undefined ? pkOf(await findUser(call, operations)) : pkIn(pk)
      const wanted = { user, limit: HISTORY_LENGTH }
      const { results } = await operations.run('audit.find', null, wanted)
      // Refuses a pk that nobody has ever had.
      if (pk !== undefined && results.length === 0) await findUser(call, operations)
      const rows = results.map(({ at, event, operator, address, reason, details }) => [
        at,
        event,
        operator ? `${operator.kind} ${operator.name ?? operator.pk ?? ''}`.trim() : 'user',
        wordsOf({
          ...(address !== null && { address }),
          ...(reason !== null && { reason }),
          ...details,
        }),
      ])
      call.say(listing(HEADER, rows, 'Nothing is recorded.'), results)
    }),
})

const HEADER = ['AT', 'EVENT', 'BY', 'DETAILS']

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

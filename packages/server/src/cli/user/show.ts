import { shownEvents } from '../../features/audit/history.ts'
import { command } from '../command.ts'
import { table } from '../table.ts'
import { historyText } from './history.ts'
import { USER, userOptions } from './user-argument.ts'
import { userJson, yesOrNo } from './user-json.ts'
import { withUser } from './with-accounts.ts'

export const userShow = command({
  argument: USER,
  options: userOptions,
  run: (call) =>
    withUser(call, async (user, accounts) => {
      const json = { ...userJson(user), ...accounts.valuesOf(user) }
      const rows = Object.entries(json).map(([name, value]) => [name, textOf(value)])
      const history = shownEvents(await accounts.history(user.id))
      const text = `${table(rows)}${historyText(history)}`
      call.say(text.trimEnd(), { ...json, history })
    }),
})

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ') || '-'
  if (value === null || value === '') return '-'
  return typeof value === 'boolean' ? yesOrNo(value) : String(value)
}

import { command } from '../command.ts'
import { settingsOptions } from '../load-settings.ts'
import { table } from '../table.ts'
import { USER } from './user-argument.ts'
import { userJson, yesOrNo } from './user-json.ts'
import { withUser } from './with-accounts.ts'

export const userShow = command({
  name: 'user show',
  summary: 'Show a user',
  argument: USER,
  options: settingsOptions,
  run: (call) =>
    withUser(call, async (user) => {
      const json = userJson(user)
      const rows = Object.entries(json).map(([name, value]) => [name, textOf(value)])
      call.say(table(rows).trimEnd(), json)
    }),
})

function textOf(value: string | number | boolean | null): string {
  if (value === null || value === '') return '-'
  return typeof value === 'boolean' ? yesOrNo(value) : String(value)
}

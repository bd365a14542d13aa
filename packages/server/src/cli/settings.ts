import { describeSettings } from '../settings/show.ts'
import { command } from './command.ts'
import { loadFor, settingsOptions } from './load-settings.ts'
import { table } from './table.ts'

export const settings = command({
  name: 'settings',
  summary: 'Show every setting that is in force, and where it came from',
  options: settingsOptions,
  async run(call) {
    const rows = describeSettings(await loadFor(call))
    const cells = rows.map(({ name, value, origin }) => [name, value, origin])
    call.say(table([['NAME', 'VALUE', 'ORIGIN'], ...cells]).trimEnd(), rows)
  },
})

import { describeSettings } from '../settings/show.ts'
import { command } from './command.ts'
import { loadFor, settingsOptions } from './load-settings.ts'
import { table } from './table.ts'

export const settings = command({
  options: settingsOptions,
  async run(call) {
    const rows = describeSettings(await loadFor(call))
    // The value comes last: some are long, and would push everything after them out of sight.
    const cells = rows.map(({ name, origin, value }) => [name, origin, value])
    call.say(table([['NAME', 'ORIGIN', 'VALUE'], ...cells]).trimEnd(), rows)
  },
})

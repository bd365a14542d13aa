import { describeSettings } from '../settings/resolve.ts'
import { command } from './command.ts'
import { loadFor, settingsOptions } from './load-settings.ts'
import { type Columns, listing } from './output.ts'
import { usageRefusal } from './refusal.ts'

/** The value comes last: some are long, and would push everything after them out of sight. */
const columns: Columns<ReturnType<typeof describeSettings>[number]> = {
  NAME: ({ name }) => name,
  ORIGIN: ({ origin }) => origin,
  VALUE: ({ value }) => value,
}

export const settings = command({
  options: {
    ...settingsOptions,
    'from-django': {
      type: 'optional',
      placeholder: '<file>',
      doc: 'Make a config file from the settings of a Django project, given as JSON; - means standard input',
    },
    output: {
      type: 'optional',
      placeholder: '<file>',
      doc: 'With --from-django: write the config file here instead of printing it',
    },
    force: { type: 'flag', doc: 'With --output: replace an existing file' },
  },
  async run(call) {
    const { config, set, output, force, 'from-django': dump } = call.values
    if (dump !== undefined) {
      if (config !== undefined || set.length > 0) {
        throw usageRefusal('--from-django cannot be used together with --config or --set.')
      }
      const { convertFromDjango } = await import(
        '../../../django/src/commands/settings-from-django.ts'
      )
      await convertFromDjango(call, { dump, output, force })
      return
    }
    if (output !== undefined || force)
      throw usageRefusal('--output and --force can only be used together with --from-django.')

    const rows = describeSettings(await loadFor(call))
    call.say(listing(columns, rows), rows)
  },
})

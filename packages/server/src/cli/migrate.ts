import { command } from './command.ts'
import { loadFor, settingsOptions } from './load-settings.ts'
import { withAuth } from './open-auth.ts'

export const migrate = command({
  options: settingsOptions,
  async run(call) {
    const { settings } = await loadFor(call)
    await withAuth(settings, async (auth) => {
      const migrations = await auth.migrate()
      const text =
        migrations.length > 0 ? migrations.join('\n') : 'The database is already up to date.'
      call.say(text, { migrations })
    })
  },
})

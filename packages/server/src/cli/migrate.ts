import { command } from './command.ts'
import { loadFor, settingsOptions } from './load-settings.ts'
import { refuseInMemory, withOpenService } from './open-service.ts'

export const migrate = command({
  options: settingsOptions,
  async run(call) {
    const { settings } = await loadFor(call)
    refuseInMemory(settings)
    await withOpenService(settings, async (service) => {
      const migrations = await service.migrate()
      const text =
        migrations.length > 0 ? migrations.join('\n') : 'The database is already up to date.'
      call.say(text, { migrations })
    })
  },
})

import { describeEndpoints } from '../http/openapi.ts'
import { command } from './command.ts'
import { loadFor, settingsOptions } from './load-settings.ts'
import { withOpenService } from './open-service.ts'

export const openapi = command({
  options: settingsOptions,
  async run(call) {
    const { settings } = await loadFor(call)
    // The endpoints depend only on the settings, so no real database is needed.
    await withOpenService(
      { ...settings, DATABASE_URL: 'sqlite::memory:' },
      async ({ endpoints }) => {
        const document = describeEndpoints(endpoints(), settings)
        call.say(JSON.stringify(document, null, 2), document)
      },
    )
  },
})

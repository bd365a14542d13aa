import { describeAdmin, describeEndpoints } from '../http/openapi.ts'
import { command } from './command.ts'
import { loadFor, settingsOptions } from './load-settings.ts'
import { withOpenService } from './open-service.ts'
import { refusal } from './refusal.ts'

export const openapi = command({
  options: {
    admin: { type: 'flag', doc: 'Print the document of the admin API instead' },
    ...settingsOptions,
  },
  async run(call) {
    const { settings } = await loadFor(call)
    // The endpoints depend only on the settings, so no real database is needed.
    await withOpenService(
      { ...settings, DATABASE_URL: 'sqlite::memory:' },
      async ({ endpoints, admin }) => {
        if (call.values.admin && !admin)
          throw refusal('The module admin is off. Add it to MODULES.')
        const isAdmin = call.values.admin && admin
        const document = isAdmin ? describeAdmin(admin) : describeEndpoints(endpoints(), settings)
        call.say(JSON.stringify(document, null, 2), document)
      },
    )
  },
})

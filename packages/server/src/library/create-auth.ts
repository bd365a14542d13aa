import { once } from '../kernel/promises.ts'
import type { SettingsInput } from '../settings/settings-input.ts'
import type { Auth, AuthOptions } from './auth.ts'
import { createAdmin } from './create-admin.ts'
import { createGuards } from './guards.ts'
import { openService } from './hosted-service.ts'
import { mountExpress } from './mount-express.ts'
import { mountFastify } from './mount-fastify.ts'
import { mountFetch } from './mount-fetch.ts'
import { createElsewhere } from './place.ts'

/**
 * Makes a service that can be mounted in a server. The settings are those of the config file; the
 * environment is not read. Wrong settings are refused with a `SettingsError` that lists all of them.
 */
export async function createAuth(
  settings: SettingsInput,
  options: AuthOptions = {},
): Promise<Auth> {
  const service = await openService(settings, options)
  // Loads Fastify with the first request, since a host with its own never needs ours.
  const ownApp = once(async () => (await import('./build-own-app.ts')).buildOwnApp(service))
  const elsewhere = createElsewhere(service)
  return {
    fastify: mountFastify(service),
    express: mountExpress(service, ownApp, elsewhere),
    fetch: mountFetch(service, ownApp, elsewhere),
    ...createGuards(service),
    admin: createAdmin(service),
    close: service.close,
  }
}

import type { SettingsInput } from '../settings/settings-input.ts'
import type { Auth, AuthOptions } from './auth.ts'
import { createAdmin } from './create-admin.ts'
import { createGuards } from './guards.ts'
import { openService } from './hosted-service.ts'
import { mountExpress } from './mount-express.ts'
import { followHost, mountFastify } from './mount-fastify.ts'
import { mountFetch } from './mount-fetch.ts'
import { mountedAdmin, mountedPublic } from './mounted.ts'

/**
 * Makes a service that can be mounted in a server. The settings are those of the config file; the
 * environment is not read. Wrong settings are refused with a `SettingsError` that lists all of them.
 */
export async function createAuth(
  settings: SettingsInput,
  options: AuthOptions = {},
): Promise<Auth> {
  const service = await openService(settings, options)
  const [api, admin] = [mountedPublic(service), mountedAdmin(service)]
  return {
    fastify: mountFastify('latchkey', api, followHost(service.close)),
    express: mountExpress('auth.express', api),
    fetch: mountFetch('auth.fetch', api),
    adminFastify: mountFastify('latchkey-admin', admin),
    adminExpress: mountExpress('auth.adminExpress', admin),
    adminFetch: mountFetch('auth.adminFetch', admin),
    ...createGuards(service),
    admin: createAdmin(service),
    close: service.close,
  }
}

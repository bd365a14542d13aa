import type { FastifyInstance } from 'fastify'
import { composeService, type Service } from '../../compose-service.ts'
import { buildApp } from '../../server/build-app.ts'
import { createLogger } from '../../server/logger.ts'
import { untilStopped } from '../../server/stop.ts'
import type { LoadedSettings } from '../../settings/resolve.ts'
import { ensureSecretKey } from '../../settings/secret-key.ts'
import type { Settings } from '../../settings/settings.ts'
import { command } from '../command.ts'
import { loadFor, type SettingsCall, settingsOptions } from '../load-settings.ts'
import { explainingFaults } from '../open-service.ts'
import { localUrl } from './address.ts'
import { announce } from './announce.ts'
import { holdFreePort, listen } from './listen.ts'

export const serve = command({
  options: settingsOptions,
  async run(call) {
    const { loaded, release } = await loadWithPort(call)
    const { settings } = loaded
    const { service, app, hasUsers } = await explainingFaults(settings, () =>
      build(settings).finally(release),
    )
    try {
      // Signals are handled before the service announces itself, so that an early stop works.
      const listeners = [app.server]
      const stopped = untilStopped(app, call.io, { delayMs: settings.SHUTDOWN_DELAY, listeners })
      const port = await listen(app, settings)
      const url = `${localUrl(settings.HOST, port)}${settings.AUTH_PREFIX}`
      announce(call, loaded, { url, hasUsers, pooler: service.connection.pooler() })
      service.metrics.collectProcess()
      await stopped
    } catch (error) {
      await app.close()
      throw error
    }
  },
})

/**
 * With `PORT` 0, the default of `PUBLIC_URL` needs the port before the service is built: links,
 * cookies and passkeys are made for it. The caller releases the port when it can listen itself.
 */
async function loadWithPort(
  call: SettingsCall,
): Promise<{ loaded: LoadedSettings; release(): Promise<void> }> {
  const loaded = await loadFor(call)
  const { settings, origins } = loaded
  const isKnown = settings.PORT !== 0 || origins.PUBLIC_URL !== 'default'
  if (isKnown) return { loaded, release: async () => {} }
  const { port, release } = await holdFreePort(settings)
  const values = { ...call.values, set: [...call.values.set, `PORT=${port}`] }
  return { loaded: await loadFor({ ...call, values }), release }
}

type Built = { service: Service; app: FastifyInstance; hasUsers: boolean }

async function build(settings: Settings): Promise<Built> {
  const service = composeService(ensureSecretKey(settings), { log: createLogger(settings) })
  try {
    await service.migrate()
    const users = await service.services.administration.list(0, 1)
    return { service, app: await buildApp(service), hasUsers: users.length > 0 }
  } catch (error) {
    await service.close()
    throw error
  }
}

import type { FastifyInstance } from 'fastify'
import { type Auth, createAuth } from '../../create-auth.ts'
import { buildApp } from '../../server/build-app.ts'
import { createLogger } from '../../server/logger.ts'
import { untilStopped } from '../../server/stop.ts'
import { ensureSecretKey } from '../../settings/secret-key.ts'
import type { Settings } from '../../settings/settings.ts'
import { command } from '../command.ts'
import { loadFor, settingsOptions } from '../load-settings.ts'
import { explainingFaults } from '../open-auth.ts'
import { localUrl } from './address.ts'
import { announce } from './announce.ts'
import { listen } from './listen.ts'

export const serve = command({
  options: settingsOptions,
  async run(call) {
    const loaded = await loadFor(call)
    const { settings } = loaded
    const { auth, app, hasUsers } = await explainingFaults(settings, () => build(settings))
    try {
      // Signals are handled before the service announces itself, so that an early stop works.
      const stopped = untilStopped(app, call.io)
      const port = await listen(app, settings)
      const url = `${localUrl(settings.HOST, port)}${settings.AUTH_PREFIX}`
      announce(call, loaded, { url, port, hasUsers })
      auth.metrics.collectProcess()
      await stopped
    } catch (error) {
      await app.close()
      throw error
    }
  },
})

type Built = { auth: Auth; app: FastifyInstance; hasUsers: boolean }

async function build(settings: Settings): Promise<Built> {
  const auth = createAuth(ensureSecretKey(settings), { log: createLogger(settings) })
  try {
    await auth.migrate()
    const users = await auth.services.administration.list(0, 1)
    return { auth, app: await buildApp(auth), hasUsers: users.length > 0 }
  } catch (error) {
    await auth.close()
    throw error
  }
}

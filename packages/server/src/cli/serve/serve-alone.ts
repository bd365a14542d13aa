import type { Server as Listener } from 'node:net'
import { untilStopped } from '../../server/stop.ts'
import { ensureSecretKey } from '../../settings/secret-key.ts'
import { explainingFaults } from '../open-service.ts'
import { announce } from './announce.ts'
import { listen } from './listen.ts'
import { buildServer } from './serving.ts'
import type { Start } from './start.ts'

/** Serves in this process, until it is told to stop. */
export async function serveAlone({ call, loaded, release }: Start): Promise<void> {
  const { settings } = loaded
  const build = async () => buildServer(ensureSecretKey(settings), { migrates: true })
  const { service, app, hasUsers } = await explainingFaults(settings, () =>
    build().finally(release),
  )
  try {
    const listeners: Listener[] = [app.server]
    // Signals are handled before the service announces itself, so that an early stop works.
    const stopping = { delayMs: () => settings.SHUTDOWN_DELAY, listeners }
    const stopped = untilStopped(app, call.io, stopping)
    await explainingFaults(settings, async () => app.ready())
    const port = await listen(app, settings, listeners)
    announce(call, loaded, { port, hasUsers, pooler: service.connection.pooler() })
    service.metrics.collectProcess()
    await stopped
  } catch (error) {
    await app.close()
    throw error
  }
}

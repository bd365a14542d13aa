import type { Server as Listener } from 'node:net'
import { giveBackMemoryLater } from '../../server/give-back-memory.ts'
import { untilStopped } from '../../server/stop.ts'
import { ensureSecretKey } from '../../settings/secret-key.ts'
import { explainingFaults } from '../open-service.ts'
import { announce } from './announce.ts'
import { listen, ownAdminAddress, publicAddress } from './listen.ts'
import { buildServer } from './serving.ts'
import type { Start } from './start.ts'

/** Serves in this process, until it is told to stop. */
export async function serveAlone({ call, loaded, release }: Start): Promise<void> {
  const { settings } = loaded
  const build = async () => buildServer(ensureSecretKey(settings), { migrates: true })
  const { service, app, admin, hasUsers } = await explainingFaults(settings, () =>
    build().finally(release),
  )
  try {
    const listeners: Listener[] = [app.server]
    const other = admin && { app: admin, listeners: [admin.server] as Listener[] }
    // Signals are handled before the service announces itself, so that an early stop works.
    const stopping = { delayMs: () => settings.SHUTDOWN_DELAY, listeners }
    const stopped = untilStopped(app, call.io, stopping, other)
    await explainingFaults(settings, async () => app.ready())
    await admin?.ready()
    const port = await listen(app, publicAddress(settings), listeners)
    const at = ownAdminAddress(settings)
    if (other && at) await listen(other.app, at, other.listeners)
    announce(call, loaded, { port, hasUsers, pooler: service.connection.pooler() })
    service.metrics.collectProcess()
    giveBackMemoryLater()
    await stopped
  } catch (error) {
    await admin?.close()
    await app.close()
    throw error
  }
}

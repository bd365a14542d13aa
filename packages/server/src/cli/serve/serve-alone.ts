import { ensureSecretKey } from '../../settings/secret-key.ts'
import { explainingFaults } from '../explaining-faults.ts'
import { announce } from './announce.ts'
import { buildServer, startServing } from './serving.ts'
import type { Start } from './start.ts'

/** Serves in this process, until it is told to stop. */
export async function serveAlone({ call, loaded, sockets }: Start): Promise<void> {
  const { settings } = loaded
  const build = async () => buildServer(ensureSecretKey(settings), { migrates: true })
  const built = await explainingFaults(settings, build)
  const { stopped } = await startServing(built, {
    sockets,
    end: call.io,
    delayMs: () => settings.SHUTDOWN_DELAY,
  })
  const { service, hasUsers } = built
  announce(call, loaded, { hasUsers, pooler: service.connection.pooler() })
  await stopped
}

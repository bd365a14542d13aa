import { ensureSecretKey } from '../../settings/secret-key.ts'
import { explainingFaults } from '../explaining-faults.ts'
import { announce } from './announce.ts'
import { listen } from './listen.ts'
import { buildServer, startServing } from './serving.ts'
import type { Start } from './start.ts'

/** Serves in this process, until it is told to stop. */
export async function serveAlone({ call, loaded, release }: Start): Promise<void> {
  const { settings } = loaded
  const build = async () => buildServer(ensureSecretKey(settings), { migrates: true })
  const built = await explainingFaults(settings, () => build().finally(release))
  let port = settings.PORT
  const { stopped } = await startServing(built, {
    end: call.io,
    delayMs: () => settings.SHUTDOWN_DELAY,
    async listen(app, at, listeners, kind) {
      const chosen = await listen(app, at, listeners)
      if (kind === 'public') port = chosen
    },
  })
  const { service, hasUsers } = built
  announce(call, loaded, { port, hasUsers, pooler: service.connection.pooler() })
  await stopped
}

import type { FastifyInstance } from 'fastify'
import { composeService, type Service } from '../../compose-service.ts'
import type { Team } from '../../core/service-options.ts'
import { consoleTransport } from '../../mailer/create-transport.ts'
import { buildAdminApp, buildApp } from '../../server/build-app.ts'
import type { Served } from '../../server/drain.ts'
import { giveBackMemoryLater } from '../../server/give-back-memory.ts'
import { stdoutStream } from '../../server/log-stream.ts'
import { createLogger } from '../../server/logger.ts'
import { type ProcessEnd, untilStopped } from '../../server/stop.ts'
import type { SocketKind } from '../../server/team/calls-of-team.ts'
import type { KeyedSettings } from '../../settings/secret-key.ts'
import { explainingFaults } from '../explaining-faults.ts'
import { listenOn, ownAdminAddress, publicAddress } from './listen.ts'

type How = {
  /** False if another process of the team has done it. */
  readonly migrates: boolean
  readonly team?: Team
}

export type Built = {
  service: Service
  app: FastifyInstance
  /** Null if the admin API has no listener of its own. */
  admin: FastifyInstance | null
  hasUsers: boolean
}

/** Builds the service as a server of its own. A failed start leaves no connection open. */
export async function buildServer(
  settings: KeyedSettings,
  { migrates, team }: How,
): Promise<Built> {
  const log = createLogger(settings)
  const { EMAIL_URL, EMAIL_FROM } = settings
  const service = composeService(settings, {
    log,
    ...(team && { team }),
    // Through the stream of the log: a reader that is gone must not end the service.
    ...(EMAIL_URL === 'console:' && {
      transport: consoleTransport(EMAIL_FROM, stdoutStream(), team?.mailbox),
    }),
  })
  try {
    if (migrates) await service.migrate()
    const users = await service.services.users.list(0, 1)
    const app = await buildApp(service)
    const admin = await buildAdminApp(service)
    return { service, app, admin, hasUsers: users.length > 0 }
  } catch (error) {
    await service.close()
    throw error
  }
}

/** What differs between a process that serves alone and a worker. */
type Outside = {
  readonly end: ProcessEnd
  /** How long connections are still accepted after the process was told to stop. */
  delayMs(): number
  /** Bound to the addresses of the settings. */
  readonly sockets: Readonly<Record<SocketKind, readonly unknown[]>>
}

/** Resolves when it serves. `stopped` resolves when it was told to stop and has stopped. */
export async function startServing(
  { service, app, admin }: Built,
  { end, delayMs, sockets }: Outside,
): Promise<{ stopped: Promise<void> }> {
  const { settings } = service
  try {
    const [main, other] = [servedBy(app), admin && servedBy(admin)]
    // Signals are handled before the service announces itself, so that an early stop works.
    const stopped = untilStopped(main, other, end, delayMs)
    await explainingFaults(settings, async () => app.ready())
    await admin?.ready()
    await listenOn(main, publicAddress(settings), sockets.public)
    const at = ownAdminAddress(settings)
    if (other && at) await listenOn(other, at, sockets.admin)
    service.metrics.collectProcess()
    giveBackMemoryLater()
    return { stopped }
  } catch (error) {
    await admin?.close()
    await app.close()
    throw error
  }
}

const servedBy = (app: FastifyInstance): Served => ({ app, listeners: [app.server] })

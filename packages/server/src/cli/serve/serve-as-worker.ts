import type { Server as Listener } from 'node:net'
import { giveBackMemoryLater } from '../../server/give-back-memory.ts'
import { FORCE_AFTER, untilStopped } from '../../server/stop.ts'
import { connectCalls } from '../../server/team/calls.ts'
import type {
  SocketKind,
  Start,
  Started,
  SupervisorCalls,
  WorkerCalls,
} from '../../server/team/calls-of-team.ts'
import { explainingFaults } from '../open-service.ts'
import { explain } from '../refusal.ts'
import { listenOn, ownAdminAddress, publicAddress } from './listen.ts'
import { type Built, buildServer } from './serving.ts'

/** Serves as one of several processes, until the supervisor says stop or is gone. */
export function serveAsWorker(process: NodeJS.Process): void {
  const sockets: Record<SocketKind, unknown[]> = { public: [], admin: [] }
  let measure: WorkerCalls['measure'] = async () => []
  let stop = (): void => process.exit(0)
  const stopOnce = () => {
    const begin = stop
    stop = () => {}
    begin()
  }

  const call = connectCalls<SupervisorCalls>(process, {
    listener: (kind, socket) => void sockets[kind].push(socket),
    start: (asked) => start(asked).catch((error) => ({ refused: explain(error).join('\n') })),
    measure: () => measure(null),
    stop: stopOnce,
  } satisfies WorkerCalls)
  // An init system sends its signals to all processes, and the supervisor passes its own on.
  process.on('SIGTERM', stopOnce)
  process.on('SIGINT', stopOnce)
  process.on('disconnect', () => {
    stopOnce()
    // It may wait for its delay already.
    setTimeout(() => process.exit(0), FORCE_AFTER).unref()
  })

  async function start(asked: Start): Promise<Started> {
    const { settings } = asked
    const { app, admin, service, hasUsers } = await explainingFaults(settings, () => build(asked))
    try {
      const listeners: Listener[] = [app.server]
      const other = admin && { app: admin, listeners: [admin.server] as Listener[] }
      const end = {
        onSignal: (listener: () => void) => {
          stop = listener
        },
        exit: (code: number) => process.exit(code),
      }
      // Without a supervisor nobody replaces this process, so it ends at once.
      const delayMs = () => (process.connected ? settings.SHUTDOWN_DELAY : 0)
      // The channel would keep the process alive.
      const disconnect = () => process.connected && process.disconnect()
      void untilStopped(app, end, { delayMs, listeners }, other).finally(disconnect)
      await explainingFaults(settings, async () => app.ready())
      await admin?.ready()
      await listenOn(app, publicAddress(settings), sockets.public, listeners)
      const at = ownAdminAddress(settings)
      if (other && at) await listenOn(other.app, at, sockets.admin, other.listeners)
    } catch (error) {
      await admin?.close()
      await app.close()
      throw error
    }
    service.metrics.collectProcess()
    giveBackMemoryLater()
    measure = () => service.metrics.snapshot(asked.number)
    return { hasUsers, pooler: service.connection.pooler() }
  }

  const build = ({ number, size, settings, migrates }: Start): Promise<Built> =>
    buildServer(settings, {
      migrates,
      team: {
        number,
        size,
        mailbox: {
          keep: (mail) => void call('keepMail', mail).catch(() => {}),
          latest: () => call('mails', null),
        },
        metrics: () => call('metrics', null),
      },
    })
}

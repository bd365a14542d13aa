import { FORCE_AFTER } from '../../server/stop.ts'
import { connectCalls } from '../../server/team/calls.ts'
import type {
  SocketKind,
  Start,
  Started,
  SupervisorCalls,
  WorkerCalls,
} from '../../server/team/calls-of-team.ts'
import { explainingFaults } from '../explaining-faults.ts'
import { explain } from '../refusal.ts'
import { type Built, buildServer, startServing } from './serving.ts'

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
  process.on('SIGHUP', stopOnce)
  process.on('disconnect', () => {
    stopOnce()
    // Ends a worker that already waits for SHUTDOWN_DELAY.
    setTimeout(() => process.exit(0), FORCE_AFTER).unref()
  })

  async function start(asked: Start): Promise<Started> {
    const { settings } = asked
    const built = await explainingFaults(settings, () => build(asked))
    const { service, hasUsers } = built
    const end = {
      onSignal: (listener: () => void) => {
        stop = listener
      },
      exit: (code: number) => process.exit(code),
    }
    const { stopped } = await startServing(built, {
      sockets,
      end,
      // Without a supervisor nobody replaces this process, so it ends at once.
      delayMs: () => (process.connected ? settings.SHUTDOWN_DELAY : 0),
    })
    // The channel would keep the process alive.
    void stopped.finally(() => process.connected && process.disconnect())
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

import { SECOND } from '../../kernel/clock.ts'
import { stdoutStream } from '../../server/log-stream.ts'
import { createLogger } from '../../server/logger.ts'
import { FORCE_AFTER, onStopSignals } from '../../server/stop.ts'
import { createSupervisor } from '../../server/team/supervisor.ts'
import { ensureSecretKey } from '../../settings/secret-key.ts'
import { explainingFaults } from '../explaining-faults.ts'
import { refusal } from '../refusal.ts'
import { announce } from './announce.ts'
import type { Start } from './start.ts'

/** The workers end themselves a little earlier. */
const KILL_AFTER = FORCE_AFTER + 0.5 * SECOND

const ENDED_EARLY = 'A worker has ended during its start.'

/** Serves in several processes, until this one is told to stop. */
export async function supervise({ call, loaded, sockets }: Start, size: number): Promise<void> {
  const { io } = call
  const settings = await explainingFaults(loaded.settings, async () =>
    ensureSecretKey(loaded.settings),
  )
  const { SHUTDOWN_DELAY } = settings
  const supervisor = createSupervisor({
    size,
    settings,
    sockets,
    fork: io.forkWorker,
    log: createLogger(settings),
    write: (lines) => stdoutStream().write(lines),
  })

  function drain(): Promise<void> {
    setTimeout(supervisor.kill, SHUTDOWN_DELAY + KILL_AFTER).unref()
    return supervisor.stop()
  }

  let isStopping = false
  const stopped = new Promise<void>((resolve) => {
    function stop(): void {
      isStopping = true
      void drain().then(resolve)
    }
    onStopSignals(io.onSignal, stop, () => {
      supervisor.kill()
      io.exit(1)
    })
  })
  const started = await supervisor.start().catch(() => ({ refused: ENDED_EARLY }))
  if (isStopping) return stopped
  if ('refused' in started) {
    // Others may already have requests to answer.
    await drain()
    throw refusal(started.refused)
  }
  announce(call, loaded, started)
  await stopped
}

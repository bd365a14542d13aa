import type { ChildProcess } from 'node:child_process'
import { MINUTE, SECOND, systemClock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { withDeadline } from '../../kernel/promises.ts'
import { createMailbox } from '../../mailer/create-transport.ts'
import type { KeyedSettings } from '../../settings/secret-key.ts'
import type { BoundSocket } from '../bound-sockets.ts'
import { type Caller, connectCalls } from './calls.ts'
import type { SocketKind, Started, SupervisorCalls, WorkerCalls } from './calls-of-team.ts'
import { forwardLines } from './forward-lines.ts'
import { createTeamMetrics } from './team-metrics.ts'

type Needs = {
  readonly size: number
  readonly settings: KeyedSettings
  readonly sockets: Readonly<Record<SocketKind, readonly BoundSocket[]>>
  readonly fork: () => ChildProcess
  readonly log: Log
  /** Takes the output of the workers, in whole lines. */
  readonly write: (lines: string) => void
}

type Worker = {
  readonly number: number
  readonly child: ChildProcess
  readonly call: Caller<WorkerCalls>
  readonly ended: Promise<unknown>
}

const FIRST_PAUSE = 0.1 * SECOND
const LONGEST_PAUSE = 30 * SECOND
/** A worker that has lived this long did not die of its start. */
const LONG_LIFE = MINUTE
/** A worker that does not answer by then counts with what it said last. */
const MEASURE_DEADLINE = 1 * SECOND

export const pauseAfter = (deaths: number): number =>
  Math.min(FIRST_PAUSE * 2 ** Math.min(deaths - 1, 20), LONGEST_PAUSE)

/**
 * Runs the workers. They accept connections from the same sockets, so no request passes through this
 * process.
 */
export function createSupervisor({ size, settings, sockets, fork, log, write }: Needs) {
  const workers = new Map<number, Worker>()
  const deaths = new Map<number, number>()
  const pauses = new Set<NodeJS.Timeout>()
  const metrics = createTeamMetrics()
  const mailbox = createMailbox()
  let isRunning = false
  let isStopping = false

  const forWorkers: SupervisorCalls = {
    async metrics() {
      await Promise.all([...workers.values()].map(measure))
      return metrics.text()
    },
    keepMail: mailbox.keep,
    mails: mailbox.latest,
  }

  async function measure({ number, call }: Worker): Promise<void> {
    const asked = withDeadline(call('measure', null), MEASURE_DEADLINE)
    const snapshot = await asked.catch(() => null)
    if (snapshot && workers.has(number)) metrics.note(number, snapshot)
  }

  function launch(number: number, migrates: boolean): Promise<Started> {
    const child = fork()
    if (child.stdout) forwardLines(child.stdout, write)
    const call = connectCalls<WorkerCalls>(child, forWorkers)
    const ended = endOf(child)
    const worker = { number, child, call, ended }
    workers.set(number, worker)
    const bornAt = systemClock.now()
    void ended.then((how) => {
      workers.delete(number)
      void metrics.end(number)
      if (!isRunning || isStopping) return
      const livedLong = systemClock.now() - bornAt >= LONG_LIFE
      replace(worker, livedLong, how)
    })
    // If the process ends meanwhile, the call is rejected, too.
    for (const kind of ['public', 'admin'] as const) {
      for (const socket of sockets[kind]) call('listener', kind, socket).catch(() => {})
    }
    return call('start', { number, size, settings, migrates })
  }

  function replace({ number, child }: Worker, livedLong: boolean, how: object): void {
    const inARow = livedLong ? 1 : (deaths.get(number) ?? 0) + 1
    deaths.set(number, inARow)
    const pauseMs = pauseAfter(inARow)
    log.error(
      { worker: number, workerPid: child.pid, ...how, pauseMs },
      'a worker has ended; another one starts after a pause',
    )
    const pause = setTimeout(() => {
      pauses.delete(pause)
      void relaunch(number)
    }, pauseMs)
    pauses.add(pause)
  }

  async function relaunch(number: number): Promise<void> {
    // If it ends during its start, that is handled like any other end.
    const started = await launch(number, false).catch(() => null)
    if (started === null) return
    const worker = workers.get(number)
    if ('refused' in started) {
      log.error({ worker: number, reason: started.refused }, 'a worker cannot start')
      worker?.child.kill('SIGKILL')
    } else log.info({ worker: number, workerPid: worker?.child.pid }, 'a worker has started')
  }

  return {
    /** The first worker migrates the database, and then the others start. */
    async start(): Promise<Started> {
      const first = await launch(1, true)
      if ('refused' in first || isStopping) return first
      const others = Array.from({ length: size - 1 }, (_, index) => launch(index + 2, false))
      const refused = (await Promise.all(others)).find((one) => 'refused' in one)
      isRunning = refused === undefined && !isStopping
      // One that had started may have ended before the last one was ready.
      for (let number = 1; isRunning && number <= size; number++) {
        if (!workers.has(number)) void relaunch(number)
      }
      return refused ?? first
    },

    /** Resolves when all workers have ended. */
    async stop(): Promise<void> {
      isStopping = true
      for (const pause of pauses) clearTimeout(pause)
      // The system resets waiting connections when the last process closes a socket. That must be a
      // worker, which accepts them first.
      for (const socket of [...sockets.public, ...sockets.admin]) socket.close()
      const all = [...workers.values()]
      for (const { call } of all) call('stop', null).catch(() => {})
      await Promise.all(all.map(({ ended }) => ended))
    },

    kill(): void {
      isStopping = true
      for (const { child } of workers.values()) child.kill('SIGKILL')
    },
  }
}

/** How a process ends. One that could not be started has an error instead of an exit. */
const endOf = (child: ChildProcess): Promise<object> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.on('error', (err) => {
      if (child.pid === undefined) resolve({ err })
    })
  })

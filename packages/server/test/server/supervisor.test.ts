import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as untilImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { SettingsCall } from '../../src/cli/load-settings.ts'
import { supervise } from '../../src/cli/serve/supervise.ts'
import { connectCalls } from '../../src/server/team/calls.ts'
import { createSupervisor } from '../../src/server/team/supervisor.ts'
import { resolveSource } from '../../src/settings/resolve.ts'
import type { KeyedSettings } from '../../src/settings/secret-key.ts'
import { fromObject } from '../../src/settings/sources.ts'
import { newDatabaseFolder } from '../support/database-folder.ts'

test('a call to a process that has just been killed is rejected, and nothing else happens', async () => {
  const file = join(await newDatabaseFolder('calls'), 'idle.cjs')
  writeFileSync(file, "process.on('message', () => {}); process.send({ id: 0, answer: 'ready' })")
  const child = fork(file)
  const failed = vi.fn()
  child.on('error', failed)
  const call = connectCalls<{ measure(argument: null): null }>(child, {})
  await once(child, 'message')
  child.kill('SIGKILL')
  // The system closes the channel meanwhile, and this process has not been told yet.
  for (const end = performance.now() + 200; performance.now() < end; );
  expect(child.connected).toBe(true)
  await expect(call('measure', null)).rejects.toThrow('The other process has ended.')
  expect(failed).not.toHaveBeenCalled()
})

/** A worker that starts at once, or when it is told to. */
class FakeWorker extends EventEmitter {
  connected = true
  pid: number | undefined = 1
  readonly stdout = null
  readonly #isQuick: boolean
  #asked: number | undefined
  readonly calls: string[] = []

  constructor(isQuick: boolean) {
    super()
    this.#isQuick = isQuick
  }

  send({ call, id }: { call: string; id: number }): boolean {
    this.calls.push(call)
    if (call === 'start') this.#asked = id
    if (call === 'start' && this.#isQuick) this.begin()
    return true
  }

  begin(answer: object = {}): void {
    setImmediate(() => this.emit('message', { id: this.#asked, answer }))
  }

  end(...how: unknown[]): void {
    this.connected = false
    this.emit('disconnect')
    this.emit(...(how as [string]))
  }

  kill(): boolean {
    this.end('exit', null, 'SIGKILL')
    return true
  }
}

function superviseFakes(size: number, isQuick: (count: number) => boolean = () => true) {
  const forked: FakeWorker[] = []
  const supervisor = createSupervisor({
    size,
    settings: {} as KeyedSettings,
    sockets: { public: [], admin: [] },
    fork() {
      const worker = new FakeWorker(isQuick(forked.length))
      forked.push(worker)
      return worker as unknown as ChildProcess
    },
    log: pino({ level: 'silent' }),
    write: () => {},
  })
  onTestFinished(supervisor.kill)
  return { supervisor, forked }
}

test('a worker that ends while the others start is replaced', async () => {
  const { supervisor, forked } = superviseFakes(2, (count) => count !== 1)
  const started = supervisor.start()
  await vi.waitFor(() => expect(forked).toHaveLength(2))
  forked[0]?.end('exit', null, 'SIGKILL')
  forked[1]?.begin()
  expect(await started).toEqual({})
  await vi.waitFor(() => expect(forked).toHaveLength(3))
})

test('a worker that cannot be forked is tried again', async () => {
  const { supervisor, forked } = superviseFakes(1)
  await supervisor.start()
  forked[0]?.end('exit', 1, null)
  await vi.waitFor(() => expect(forked).toHaveLength(2))
  const second = forked[1]
  if (second) second.pid = undefined
  second?.end('error', new Error('spawn EAGAIN'))
  await vi.waitFor(() => expect(forked).toHaveLength(3))
})

test('nobody else is started after the stop', async () => {
  const { supervisor, forked } = superviseFakes(2, () => false)
  const started = supervisor.start()
  const stopped = supervisor.stop()
  // It was ready before it heard of the stop.
  forked[0]?.begin()
  await started
  forked[0]?.end('exit', 0, null)
  await stopped
  expect(forked).toHaveLength(1)
})

test('a worker that stops during the start is not replaced', async () => {
  const { supervisor, forked } = superviseFakes(2, (count) => count === 0)
  const started = supervisor.start()
  await vi.waitFor(() => expect(forked).toHaveLength(2))
  const stopped = supervisor.stop()
  forked[0]?.end('exit', 0, null)
  forked[1]?.begin()
  await started
  forked[1]?.end('exit', 0, null)
  await stopped
  expect(forked).toHaveLength(2)
})

/** `latchkey serve` with two workers that `fork` makes. */
function serveWith(fork: () => FakeWorker) {
  const write = vi.fn()
  const signals: (() => void)[] = []
  const onSignal = (listener: () => void) => signals.push(listener)
  const io = { stdout: { write }, onSignal, forkWorker: fork }
  const given = { DATABASE_URL: 'sqlite::memory:', PORT: 0, LOG_LEVEL: 'silent' }
  const ended = supervise(
    {
      call: { io, values: { set: [] }, json: true } as unknown as SettingsCall,
      loaded: resolveSource(fromObject(given, 'settings')),
      sockets: { public: [], admin: [] },
    },
    2,
  )
  return { ended, write, signals }
}

test('a service that is told to stop during its start does not announce itself', async () => {
  const worker = new FakeWorker(false)
  const fork = vi.fn(() => worker)
  const { ended, write, signals } = serveWith(fork)
  await vi.waitFor(() => expect(fork).toHaveBeenCalledOnce())
  for (const signal of signals) signal()
  worker.begin()
  await untilImmediate()
  worker.end('exit', 0, null)
  await ended
  expect(write).not.toHaveBeenCalled()
  expect(fork).toHaveBeenCalledOnce()
})

test('if one worker cannot start, another one that already answers is not cut off', async () => {
  const first = new FakeWorker(true)
  const second = new FakeWorker(false)
  const fork = vi.fn(() => second).mockReturnValueOnce(first)
  const { ended, write } = serveWith(fork)
  const refused = expect(ended).rejects.toThrow('The database only allows reading.')
  await vi.waitFor(() => expect(fork).toHaveBeenCalledTimes(2))
  second.begin({ refused: 'The database only allows reading.' })
  await vi.waitFor(() => expect(first.calls).toContain('stop'))
  expect(first.connected).toBe(true)
  for (const worker of [first, second]) worker.end('exit', 0, null)
  await refused
  expect(write).not.toHaveBeenCalled()
})

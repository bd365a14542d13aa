import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectCalls } from '../../src/server/team/calls.ts'
import { createSupervisor } from '../../src/server/team/supervisor.ts'
import type { KeyedSettings } from '../../src/settings/secret-key.ts'
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

  constructor(isQuick: boolean) {
    super()
    this.#isQuick = isQuick
  }

  send({ call, id }: { call: string; id: number }): boolean {
    if (call === 'start') this.#asked = id
    if (call === 'start' && this.#isQuick) this.begin()
    return true
  }

  begin(): void {
    setImmediate(() => this.emit('message', { id: this.#asked, answer: {} }))
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
    sockets: [],
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

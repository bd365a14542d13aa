import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeliverDue, type Outcome } from '../../src/core/delivery/deliver-due.ts'
import { createDeliveryWorker } from '../../src/core/delivery/delivery-worker.ts'
import { createSignal } from '../../src/kernel/signal.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const DEADLINE = 30_000
const CLOSED = new Error('The database is closed.')
const UNREACHABLE = expect.objectContaining({ status: 'unreachable' })

/** A worker that has begun to send its only item. */
async function startSending() {
  let finish = (_: Outcome) => {}
  const sent = new Promise<Outcome>((resolve) => {
    finish = resolve
  })
  const due = ['item']
  const write = vi.fn(async () => {})
  const closeDatabase = () => write.mockRejectedValue(CLOSED)
  const queue = {
    findDue: async () => due.splice(0),
    claim: async (key: string) => key,
    send: () => sent,
    pauseAfter: () => 1000,
    settle: write,
    postpone: write,
    bury: write,
  }
  const warn = vi.fn()
  const worker = createDeliveryWorker({
    what: 'mails',
    deliverDue: createDeliverDue(queue, { deadlineMs: DEADLINE, lanes: 1 }, Date),
    posted: createSignal(),
    log: { info() {}, warn, error() {} },
  })
  worker.start()
  await vi.advanceTimersByTimeAsync(0)
  return { worker, write, warn, finish, closeDatabase }
}

test('a try that hangs is given up after its deadline', async () => {
  const { worker, write } = await startSending()
  await vi.advanceTimersByTimeAsync(DEADLINE - 1)
  expect(write).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(write).toHaveBeenCalledExactlyOnceWith('item', Date.now() + 1000, UNREACHABLE)
  await worker.stop()
})

test('a stop waits a moment for a try in progress', async () => {
  const { worker, write, finish } = await startSending()
  const stop = worker.stop()
  finish({ status: 'sent' })
  await stop
  expect(write).toHaveBeenCalledExactlyOnceWith('item')
})

test('a stop gives up a try that hangs, and leaves no timer behind', async () => {
  const { worker, write, warn, finish, closeDatabase } = await startSending()
  const stop = worker.stop()
  await vi.advanceTimersByTimeAsync(3000)
  await stop
  expect(write).toHaveBeenCalledExactlyOnceWith('item', Date.now() + 1000, UNREACHABLE)
  closeDatabase()
  expect(vi.getTimerCount()).toBe(0)
  finish({ status: 'sent' })
  await vi.advanceTimersByTimeAsync(DEADLINE)
  expect(write).toHaveBeenCalledOnce()
  expect(warn).not.toHaveBeenCalled()
})

test('a stop waits for a database that hangs only a second longer, and does not warn of it', async () => {
  const { worker, write, warn } = await startSending()
  let close = (_: Error) => {}
  const hanging = new Promise<void>((_, reject) => {
    close = reject
  })
  write.mockReturnValue(hanging)
  const stop = worker.stop()
  await vi.advanceTimersByTimeAsync(4000)
  await stop
  expect(vi.getTimerCount()).toBe(0)
  close(CLOSED)
  await vi.advanceTimersByTimeAsync(DEADLINE)
  expect(warn).not.toHaveBeenCalled()
})

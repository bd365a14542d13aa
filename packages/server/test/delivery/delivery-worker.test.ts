import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeliverDue, type Outcome } from '../../src/core/delivery/deliver-due.ts'
import { createDeliveryWorker } from '../../src/core/delivery/delivery-worker.ts'
import { createSignal } from '../../src/kernel/signal.ts'
import { turnsDuring } from '../support/turns.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const DEADLINE = 30_000
const CLOSED = new Error('The database is closed.')
const AWAY = Object.assign(new Error('The database is away.'), { code: 'ECONNREFUSED' })
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
    noteWaiting: async () => {},
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

test('what was sent is settled when the database is back, and not sent again', async () => {
  const { worker, write, warn, finish } = await startSending()
  write.mockRejectedValueOnce(AWAY).mockRejectedValueOnce(AWAY)
  finish({ status: 'sent' })
  await vi.advanceTimersByTimeAsync(1999)
  expect(write).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(write).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(DEADLINE)
  expect(write).toHaveBeenCalledTimes(3)
  expect(warn).not.toHaveBeenCalled()
  await worker.stop()
})

test('it is not settled after its claim has ended, since another worker has it then', async () => {
  const { worker, write, warn, finish } = await startSending()
  write.mockRejectedValue(AWAY)
  finish({ status: 'sent' })
  await vi.advanceTimersByTimeAsync(DEADLINE + 14_000)
  expect(warn).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1000)
  expect(warn).toHaveBeenCalledOnce()
  const tries = write.mock.calls.length
  await vi.advanceTimersByTimeAsync(DEADLINE)
  expect(write).toHaveBeenCalledTimes(tries)
  await worker.stop()
})

test('an error that is no outage is not repeated', async () => {
  const { worker, write, warn, finish, closeDatabase } = await startSending()
  closeDatabase()
  finish({ status: 'sent' })
  await vi.advanceTimersByTimeAsync(DEADLINE)
  expect(write).toHaveBeenCalledOnce()
  expect(warn).toHaveBeenCalledOnce()
  await worker.stop()
})

test('a stop tries a last time to settle, and leaves no timer behind', async () => {
  const { worker, write, finish } = await startSending()
  write.mockRejectedValue(AWAY)
  finish({ status: 'sent' })
  const stop = worker.stop()
  await vi.advanceTimersByTimeAsync(2999)
  const tries = write.mock.calls.length
  await vi.advanceTimersByTimeAsync(1)
  await stop
  expect(write.mock.calls.length).toBeGreaterThan(tries)
  expect(vi.getTimerCount()).toBe(0)
})

/** The part of a queue that sends everything at once. */
const SENDING = {
  send: async () => ({ status: 'sent' }) as const,
  pauseAfter: () => null,
  settle: async () => {},
  postpone: async () => {},
  bury: async () => {},
}

test('a round ends when all that was sent is settled, though the next claim has failed', async () => {
  const settle = vi.fn(async () => {}).mockRejectedValueOnce(AWAY)
  const queue = {
    ...SENDING,
    noteWaiting: async () => {},
    findDue: async () => ['sent', 'unclaimed'],
    async claim(key: string) {
      if (key === 'unclaimed') throw AWAY
      return key
    },
    settle,
  }
  const round = createDeliverDue(queue, { deadlineMs: DEADLINE, lanes: 2 }, Date)()
  const ended = vi.fn()
  round.catch(ended)
  await vi.advanceTimersByTimeAsync(999)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(settle).toHaveBeenCalledTimes(2)
  await expect(round).rejects.toBe(AWAY)
})

test('a backlog leaves turns to requests, even if nothing in it waits', async () => {
  vi.useRealTimers()
  const due = Array.from({ length: 20 }, (_, n) => n)
  const queue = {
    ...SENDING,
    noteWaiting: async () => {},
    findDue: async () => due.splice(0, 10),
    claim: async (key: number) => key,
  }
  const deliverDue = createDeliverDue(queue, { deadlineMs: DEADLINE, lanes: 1 }, Date)
  expect(await turnsDuring(deliverDue)).toBeGreaterThanOrEqual(19)
})

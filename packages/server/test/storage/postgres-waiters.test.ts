import { expect, test, vi } from 'vitest'
import { createWaiters } from '../../src/storage/postgres-waiters.ts'

/** One connection for all, which is in use. */
async function startBusy(patienceMs: number) {
  const giveBack = vi.fn()
  let idle = 1
  const waiters = createWaiters<string>({
    connect: async () => 'the connection',
    giveBack,
    idleCount: () => idle,
    canGrow: () => false,
    patienceMs,
  })
  const client = await waiters.take()
  idle = 0
  return { ...waiters, client, giveBack }
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('who has used up half of the time is refused for the one behind, who has enough left', async () => {
  const { take, give, client } = await startBusy(400)
  const first = expect(take()).rejects.toThrow('timeout')
  await later(250)
  const second = take()
  give(client)
  await first
  expect(await second).toBe(client)
})

test('who waits alone is served as late as possible', async () => {
  const { take, give, client, giveBack, inUse } = await startBusy(400)
  const only = take()
  await later(250)
  give(client)
  expect(await only).toBe(client)
  expect(inUse()).toBe(1)
  give(client)
  expect(giveBack).toHaveBeenCalledOnce()
  expect(inUse()).toBe(0)
})

test('who is urgent is served before those who have waited longer', async () => {
  const { take, give, client } = await startBusy(2000)
  const usual = take()
  const urgent = take(true)
  give(client)
  expect(await urgent).toBe(client)
  give(client)
  expect(await usual).toBe(client)
})

/** One connection is in use, and the next that is started is refused. */
async function startRefused(third: () => Promise<string>) {
  const tries = [async () => 'first', () => Promise.reject(new Error('refused')), third, third]
  const waiters = createWaiters<string>({
    connect: () => tries.shift()?.() ?? Promise.reject(new Error('too many tries')),
    giveBack() {},
    idleCount: () => 0,
    canGrow: () => true,
    patienceMs: 2000,
  })
  return { ...waiters, client: await waiters.take() }
}

test('who hoped for a connection in use connects again when the last of these is lost', async () => {
  const { take, drop, client } = await startRefused(async () => 'another')
  const waiting = take()
  await later(10)
  drop(client)
  expect(await waiting).toBe('another')
})

test('who hoped for a connection in use is refused at once if there is no other', async () => {
  const { take, drop, client } = await startRefused(() =>
    Promise.reject(new Error('still refused')),
  )
  const waiting = expect(take()).rejects.toThrow('still refused')
  await later(10)
  drop(client)
  await waiting
})

test('who has lost the own connection to another connects again when that one is lost', async () => {
  const tries: { come(client: string): void; fail(error: Error): void }[] = []
  const { take, drop } = createWaiters<string>({
    connect: () => new Promise((come, fail) => void tries.push({ come, fail })),
    giveBack() {},
    idleCount: () => 0,
    canGrow: () => true,
    patienceMs: 2000,
  })
  const first = take()
  const second = take()
  // It was started for the second, but the first has waited longer.
  tries[1]?.come('one')
  const client = await first
  tries[0]?.fail(new Error('refused'))
  await later(10)
  drop(client)
  tries[2]?.come('another')
  expect(await second).toBe('another')
})

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

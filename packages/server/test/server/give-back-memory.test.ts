import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { collectGarbage, giveBackMemoryLater } from '../../src/server/give-back-memory.ts'

afterEach(() => void vi.useRealTimers())

/** Something that nothing holds. It lives until the end of the turn. */
async function garbage(): Promise<WeakRef<object>> {
  const made = new WeakRef({ some: 'thing' })
  await setImmediate()
  return made
}

test('garbage is collected', async () => {
  const old = await garbage()
  collectGarbage()
  expect(old.deref()).toBeUndefined()
  expect(globalThis.gc).toBeUndefined()
})

test.each([
  ['an idle', 0.02, true],
  ['a busy', 0.4, false],
])('of %s service, some seconds after the start', async (_, utilization, isCollected) => {
  const times = { idle: 0, active: 0, utilization }
  vi.spyOn(performance, 'eventLoopUtilization').mockReturnValue(times)
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  // One that V8 has begun by itself could end at any time, and take the garbage with it.
  collectGarbage()
  const old = await garbage()
  giveBackMemoryLater()
  vi.advanceTimersByTime(9000)
  expect(old.deref()).toBeDefined()
  // Looking at it has kept it for this turn.
  await setImmediate()
  vi.advanceTimersByTime(1000)
  expect(old.deref() === undefined).toBe(isCollected)
  vi.restoreAllMocks()
})

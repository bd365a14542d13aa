import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { collectGarbage, giveBackMemoryLater } from '../../src/server/give-back-memory.ts'

type CollectionEntry = PerformanceEntry & { detail: { flags: number } }

/** Counts the collections that were asked for. V8 may begin others at any time. */
function watchCollections() {
  let count = 0
  const observer = new PerformanceObserver((list) => {
    const entries = list.getEntries() as CollectionEntry[]
    const isForced = ({ detail }: CollectionEntry) =>
      (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0
    count += entries.filter(isForced).length
  })
  observer.observe({ entryTypes: ['gc'] })
  onTestFinished(() => observer.disconnect())
  return async () => {
    // The observer is told in a later turn.
    for (let turn = 0; turn < 3; turn++) await setImmediate()
    return count
  }
}

test('garbage is collected', async () => {
  const collections = watchCollections()
  const old = new WeakRef({ some: 'thing' })
  expect(await collections()).toBe(0)
  collectGarbage()
  expect(old.deref()).toBeUndefined()
  expect(await collections()).toBeGreaterThan(0)
  expect(globalThis.gc).toBeUndefined()
})

test.each([
  ['an idle', 0.02, true],
  ['a busy', 0.4, false],
])('of %s service, some seconds after the start', async (_, utilization, isCollected) => {
  onTestFinished(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
  const times = { idle: 0, active: 0, utilization }
  vi.spyOn(performance, 'eventLoopUtilization').mockReturnValue(times)
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const collections = watchCollections()
  giveBackMemoryLater()
  vi.advanceTimersByTime(9000)
  expect(await collections()).toBe(0)
  vi.advanceTimersByTime(1000)
  expect((await collections()) > 0).toBe(isCollected)
})

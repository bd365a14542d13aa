import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSweepWorker } from '../../src/core/sweep.ts'

const MINUTE = 60_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('sweeps within a minute of the start, and then every eight to twelve', async () => {
  const times: number[] = []
  const worker = createSweepWorker(async () => {
    times.push(Date.now())
  })
  const start = Date.now()
  worker.start()
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(times).toHaveLength(1)
  for (let n = 0; n < 50; n++) await vi.advanceTimersByTimeAsync(12 * MINUTE)
  await worker.stop()

  const pauses = times.map((time, n) => time - (times[n - 1] ?? start))
  expect(pauses[0]).toBeLessThan(MINUTE)
  for (const pause of pauses.slice(1)) {
    expect(pause).toBeGreaterThanOrEqual(8 * MINUTE)
    expect(pause).toBeLessThan(12 * MINUTE)
  }
  expect(new Set(pauses).size).toBeGreaterThan(1)
})

test('instances that start together do not sweep together', async () => {
  const times: number[] = []
  const workers = Array.from({ length: 20 }, () =>
    createSweepWorker(async () => {
      times.push(Date.now())
    }),
  )
  for (const worker of workers) worker.start()
  await vi.advanceTimersByTimeAsync(MINUTE)
  for (const worker of workers) await worker.stop()
  expect(times).toHaveLength(20)
  expect(new Set(times).size).toBeGreaterThan(10)
})

test('stopping tells the sweep under way, waits for it, and starts no other', async () => {
  let sweeps = 0
  let end = () => {}
  let wasTold = false
  const worker = createSweepWorker((isStopping = () => false) => {
    sweeps += 1
    return new Promise((resolve) => {
      end = () => {
        wasTold = isStopping()
        resolve()
      }
    })
  })
  worker.start()
  await vi.advanceTimersByTimeAsync(MINUTE)
  let isStopped = false
  const stopping = worker.stop().then(() => {
    isStopped = true
  })
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(isStopped).toBe(false)
  end()
  await stopping
  expect(wasTold).toBe(true)
  await vi.advanceTimersByTimeAsync(60 * MINUTE)
  expect(sweeps).toBe(1)
})

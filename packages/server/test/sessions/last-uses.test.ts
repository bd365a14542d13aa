import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLastUses, USES_A_WRITE } from '../../src/core/last-uses.ts'
import { MINUTE, SECOND } from '../../src/kernel/clock.ts'
import type { Db } from '../../src/storage/handle.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const db = {} as Db

function start({ fails = () => false }: { fails?: () => boolean } = {}) {
  const writes: { at: number; ids: number[] }[] = []
  const warnings: string[] = []
  const clock = { time: 10 * MINUTE, now: () => clock.time }
  const log = {
    info: () => {},
    error: () => {},
    warn: (_: object, text: string) => warnings.push(text),
  }
  const uses = createLastUses({
    db,
    clock,
    log,
    noteUses: async (_, at, ...ids) => {
      if (fails()) throw new Error('The database is down.')
      expect(ids).toHaveLength(USES_A_WRITE)
      writes.push({ at, ids: ids.filter((id) => id !== 0) })
    },
  })
  return { ...uses, clock, writes, warnings }
}

test('many uses of one login in a minute are one write', async () => {
  const { note, flush, writes, clock } = start()
  for (let uses = 0; uses < 50; uses++) note(7, 0)
  clock.time += 59 * SECOND
  note(7, 0)
  await flush()
  await flush()
  expect(writes).toEqual([{ at: 10 * MINUTE, ids: [7] }])
})

test('a use in a minute that is known already leaves nothing behind', async () => {
  const { note, flush, writes, clock } = start()
  note(7, clock.time)
  note(8, clock.time + SECOND)
  await flush()
  expect(writes).toEqual([])
})

test('uses of many logins are written together, each with its own minute', async () => {
  const { note, flush, writes, clock } = start()
  for (let id = 250; id > 0; id--) note(id, 0)
  clock.time += MINUTE
  note(5, 0)
  await flush()
  expect(writes.map(({ at, ids }) => [at / MINUTE, ids.length])).toEqual([
    [10, 100],
    [10, 100],
    [10, 50],
    [11, 1],
  ])
  expect(writes[0]?.ids).toEqual(Array.from({ length: 100 }, (_, at) => at + 1))
})

test('uses of a time that the clock has not reached are forgotten', async () => {
  const { note, flush, writes, clock } = start()
  note(7, 0)
  clock.time -= SECOND
  await flush()
  clock.time += SECOND
  await flush()
  expect(writes).toEqual([])
})

test('memory is bounded, and what did not fit is noted at its next use', async () => {
  const { note, flush, writes } = start()
  const count = () => writes.reduce((sum, { ids }) => sum + ids.length, 0)
  for (let id = 1; id <= 12_000; id++) note(id, 0)
  await flush()
  expect(count()).toBe(10_000)
  note(12_000, 0)
  await flush()
  expect(count()).toBe(10_001)
})

test('while the service runs they are written every few seconds, and at its end', async () => {
  const { note, worker, writes, clock } = start()
  worker.start()
  note(1, 0)
  await vi.advanceTimersByTimeAsync(5 * SECOND)
  expect(writes).toHaveLength(1)
  clock.time += MINUTE
  note(2, 0)
  await worker.stop()
  expect(writes).toHaveLength(2)
  note(3, 0)
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(writes).toHaveLength(2)
})

test('a database that is down is told in the log, and the next use is noted again', async () => {
  let isDown = true
  const { note, worker, writes, warnings } = start({ fails: () => isDown })
  worker.start()
  note(1, 0)
  await vi.advanceTimersByTimeAsync(5 * SECOND)
  expect(warnings).toHaveLength(1)
  isDown = false
  note(1, 0)
  await vi.advanceTimersByTimeAsync(5 * SECOND)
  expect(writes).toHaveLength(1)
  await worker.stop()
})

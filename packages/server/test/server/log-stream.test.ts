import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLogStream, type Write } from '../../src/server/log-stream.ts'

/** Each write waits here until the test says how it ends. */
const writes: { text: string; end: Parameters<Write>[2] }[] = []
const write: Write = (_fd, bytes, end) => writes.push({ text: bytes.toString(), end })
const openStream = () => openLogStream(99, write)

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  writes.length = 0
})

afterEach(() => void vi.useRealTimers())

const texts = () => writes.map(({ text }) => text)
const endLast = (code: string | null, written?: number) => {
  const { text, end } = writes.at(-1) as (typeof writes)[number]
  end(code === null ? null : Object.assign(new Error(code), { code }), written ?? text.length)
}

test('lines wait a moment, then go out together, one write at a time', () => {
  const stream = openStream()
  stream.write('one\n')
  stream.write('two\n')
  expect(texts()).toEqual([])
  vi.advanceTimersByTime(100)
  expect(texts()).toEqual(['one\ntwo\n'])
  stream.write('three\n')
  vi.advanceTimersByTime(1000)
  expect(writes).toHaveLength(1)
  endLast(null)
  vi.advanceTimersByTime(100)
  expect(texts()).toEqual(['one\ntwo\n', 'three\n'])
})

test('many lines do not wait at all', () => {
  const stream = openStream()
  for (let index = 0; index < 1000; index++) stream.write(`${'x'.repeat(99)}\n`)
  expect(writes).toHaveLength(1)
})

test('what was written in part is written to the end', () => {
  openStream().write('a whole line\n')
  vi.advanceTimersByTime(100)
  endLast(null, 2)
  expect(texts()).toEqual(['a whole line\n', 'whole line\n'])
})

test('a pipe that is full for the moment is tried again', () => {
  openStream().write('a line\n')
  vi.advanceTimersByTime(100)
  endLast('EAGAIN', 0)
  vi.advanceTimersByTime(100)
  expect(texts()).toEqual(['a line\n', 'a line\n'])
})

test('lines that cannot be written are lost, counted, and told of as soon as it works', () => {
  const stream = openStream()
  stream.write('one\n')
  stream.write('two\n')
  vi.advanceTimersByTime(100)
  endLast('ENOSPC', 0)
  stream.write('three\n')
  vi.advanceTimersByTime(100)
  endLast('ENOSPC', 0)
  stream.write('four\n')
  vi.advanceTimersByTime(100)
  const [notice = '', line] = writes.at(-1)?.text.split('\n') ?? []
  expect(JSON.parse(notice)).toEqual({ level: 40, time: 300, msg: '3 lines of the log were lost' })
  expect(line).toBe('four')
})

test('a reader that stalls costs lines, not memory without end', () => {
  const stream = openStream()
  const line = `${'x'.repeat(1024 * 1024 - 1)}\n`
  for (let index = 0; index < 40; index++) stream.write(line)
  endLast(null)
  endLast(null)
  const sent = texts().reduce((sum, text) => sum + text.length, 0)
  expect(sent).toBeGreaterThan(16 * 1024 * 1024)
  expect(sent).toBeLessThan(18 * 1024 * 1024)
  expect(texts()[1]?.split('\n')[0]).toContain('23 lines of the log were lost')
})

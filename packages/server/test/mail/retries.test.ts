import { expect, test } from 'vitest'
import { pauseAfter } from '../../src/features/mail/delivery.ts'

test('pauses grow; a server that is down is asked again within the minute', () => {
  const attempts = [1, 2, 3, 4, 5, 6, 7, 1000]
  expect(attempts.map((n) => pauseAfter(n, 'unreachable') / 1000)).toEqual([
    2, 4, 8, 16, 32, 45, 45, 45,
  ])
  expect(attempts.map((n) => pauseAfter(n, 'deferred') / 1000)).toEqual([
    2, 4, 8, 16, 32, 64, 128, 300,
  ])
  expect(attempts.map((n) => pauseAfter(n, 'refused') / 1000)).toEqual([
    2, 4, 8, 16, 32, 64, 128, 3600,
  ])
})

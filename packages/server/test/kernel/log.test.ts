import { expect, test } from 'vitest'
import { messageOf } from '../../src/kernel/log.ts'
import { failure } from '../../src/kernel/send-result.ts'
import { firstLine } from '../../src/kernel/texts.ts'

/** What Node throws if a name has several addresses, and none of them answers. */
const severalTries = () =>
  new AggregateError([new Error('connect ECONNREFUSED ::1:443\nand more'), new Error('second')])

test('an error of several tries says why the first one failed', () => {
  expect(messageOf(severalTries())).toBe('connect ECONNREFUSED ::1:443\nand more')
  expect(firstLine(severalTries())).toBe('connect ECONNREFUSED ::1:443')
  expect(failure('unreachable', severalTries()).reason).toContain('ECONNREFUSED')
  expect(messageOf(new AggregateError([new Error('one')], 'of its own'))).toBe('of its own')
  expect(messageOf(new AggregateError([]))).toBe('Thrown: undefined')
})

import { expect, test } from 'vitest'
import { skippedLines } from '../support/skipped-reporter.ts'

const ran = (name: string) => ({ name, state: 'passed' })
const skipped = (name: string, reason?: string) => ({ name, state: 'skipped', reason })

test('every test that was skipped is named, with its reason', () => {
  expect(skippedLines([ran('a'), skipped('b'), skipped('c', 'no browser was found')])).toEqual([
    '2 tests were skipped:',
    '  b: its condition is not met here',
    '  c: no browser was found',
  ])
})

test('one that ran on another database, or failed there, was not skipped', () => {
  const failed = { name: 'b', state: 'failed' }
  expect(skippedLines([skipped('a'), ran('a'), failed, skipped('b')])).toEqual([])
  expect(skippedLines([skipped('a'), skipped('a')])).toEqual([
    '1 test was skipped:',
    '  a: its condition is not met here',
  ])
})

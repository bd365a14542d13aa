import { expect, test } from 'vitest'
import { flakyLines, skippedLines } from '../support/closing-reporter.ts'

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

test('a test that passed at the second attempt is named, with the error of the first', () => {
  const flaky = { name: 'a', project: 'sqlite', state: 'passed', firstError: 'expected 1 to be 2' }
  expect(flakyLines([ran('b'), flaky, { ...flaky, project: 'postgres' }])).toEqual([
    'flaky: a (sqlite): expected 1 to be 2',
    'flaky: a (postgres): expected 1 to be 2',
  ])
})

import { expect, test } from 'vitest'
import { inOurUnits, toList, withoutPython } from '../../src/settings/from-django/python-values.ts'

test.each([
  [300, '5m'],
  ['300', '5m'],
  [0, '0s'],
  ['P1DT00H00M00S', '1d'],
  ['P0DT00H05M00S', '5m'],
  ['P0DT00H00M01.500000S', '1.5s'],
  ['PT15M', '15m'],
  ['P2W', '14d'],
  ['1 day, 0:00:00', '1d'],
  ['30 days, 12:00:00', '732h'],
  ['0:05:00', '5m'],
  ['0:00:00.500000', '0.5s'],
  ['datetime.timedelta(days=1)', '1d'],
  ['timedelta(days=1, minutes=30)', '1470m'],
  ['datetime.timedelta(seconds=300)', '5m'],
])('the duration %j is %s', (written, ours) => {
  expect(inOurUnits(written)).toBe(ours)
})

test.each([
  'soon',
  'P',
  'PT',
  '-P1DT00H00M00S',
  '-1 day, 0:00:00',
  'timedelta(months=1)',
  'timedelta(days=x)',
  -1,
  null,
  true,
  [300],
  {},
])('%j is no duration', (written) => {
  expect(inOurUnits(written)).toBeUndefined()
})

test.each([
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  ["{'email'}", ['email']],
  ["frozenset({'email', 'username'})", ['email', 'username']],
  ['(\'a\', "b")', ['a', 'b']],
  ["['a']", ['a']],
  ['set()', []],
  ['[]', []],
  ['', []],
  ['email', ['email']],
  [null, []],
  [undefined, []],
  [7, [7]],
])('the list %j is %j', (written, items) => {
  expect(toList(written)).toEqual(items)
})

test('what became text is itself again, at every depth', () => {
  const written = { a: ["<class 'x.Y'>", 'True'], b: { c: 'False' }, d: 'None', e: null }
  expect(withoutPython(written)).toEqual({ a: ['x.Y', true], b: { c: false }, d: 'None', e: null })
})

import { expect, test } from 'vitest'
import { readPython } from '../../src/settings/python-literal.ts'
import { inOurUnits, toList, withoutPython } from '../../src/settings/python-values.ts'

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

test.each<[written: string, value: unknown]>([
  ["'HS256'", 'HS256'],
  ['"it\'s"', "it's"],
  ["'a\\'b\\n'", "a'b\n"],
  ["['a', 'b',]", ['a', 'b']],
  ["('jwt',)", ['jwt']],
  ["{'email', 'username'}", ['email', 'username']],
  ['{}', {}],
  [
    "{'USE_JWT': True, 'COOKIE': None, 'N': -1.5, 'LIFE': datetime.timedelta(days=1), 'M': <class 'x.Y'>, 'IN': {'A': ['b']}}",
    {
      USE_JWT: true,
      COOKIE: null,
      N: -1.5,
      LIFE: 'datetime.timedelta(days=1)',
      M: "<class 'x.Y'>",
      IN: { A: ['b'] },
    },
  ],
])('the literal %s is read', (written, value) => {
  expect(readPython(written)).toEqual(value)
})

test.each([
  'HS256',
  '(abc)',
  "'a' 'b'",
  "['a'",
  "['a']]",
  "{'a': 1, 'b'}",
  '"Example" <noreply@example.com>',
  '['.repeat(1000) + ']'.repeat(1000),
  `'${'x'.repeat(100_000)}'`,
  '',
])('%j is no literal', (written) => {
  expect(readPython(written)).toBeUndefined()
})

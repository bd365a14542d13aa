import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/kernel/clock.ts'
import {
  list,
  namedObjects,
  optionalText,
  record,
  secret,
} from '../../src/kernel/setting-kinds/compounds.ts'
import { type Kind, read } from '../../src/kernel/setting-kinds/kind.ts'
import {
  choice,
  flag,
  integer,
  linkTemplate,
  origin,
  positiveNumber,
  text,
  webOrigin,
} from '../../src/kernel/setting-kinds/scalars.ts'
import { duration, rate } from '../../src/kernel/setting-kinds/times.ts'

type Case<T = unknown> = {
  kind: Kind<T, unknown>
  takes: readonly (readonly [input: unknown, value: T])[]
  refuses: readonly unknown[]
}
const about = <T>(one: Case<T>): Case => one

const cases: Record<string, Case> = {
  'a flag': about({
    kind: flag,
    takes: [
      ...[true, 1, 'true', 'TRUE', '1', 'yes', 'On', ' on '].map((yes) => [yes, true] as const),
      ...[false, 0, 'false', 'False', '0', 'no', 'OFF'].map((no) => [no, false] as const),
    ],
    refuses: ['maybe', '', 2, null, undefined, ['true'], {}],
  }),
  'a text': about({
    kind: text,
    takes: [
      ['a', 'a'],
      [' kept as it is ', ' kept as it is '],
    ],
    refuses: ['', '  ', null, 5, true, ['a']],
  }),
  'an optional text': about({
    kind: optionalText,
    takes: [
      ['a', 'a'],
      [null, null],
      ['', null],
      ['none', null],
      ['NULL', null],
    ],
    refuses: [false, 0, []],
  }),
  'a whole number': about({
    kind: integer(0, 10),
    takes: [
      [0, 0],
      ['10', 10],
      [' 7 ', 7],
    ],
    refuses: [-1, 11, 1.5, '1.5', '1e1', '0x1', '', 'ten', null, true, Number.NaN, [1]],
  }),
  'a number above zero': about({
    kind: positiveNumber(10),
    takes: [
      [0.5, 0.5],
      ['2.25', 2.25],
    ],
    refuses: [0, -1, 10.1, '', '.', Number.POSITIVE_INFINITY, null],
  }),
  'a choice': about({
    kind: choice(['Lax', 'None'], { 'some.dotted.Name': 'Lax' }),
    takes: [
      ['Lax', 'Lax'],
      ['none', 'None'],
      ['some.dotted.Name', 'Lax'],
    ],
    refuses: ['', 'constructor', '__proto__', null, 0],
  }),
  'a duration': about({
    kind: duration(),
    takes: [
      [300, 5 * MINUTE],
      ['300', 5 * MINUTE],
      ['30s', 30 * SECOND],
      ['5m', 5 * MINUTE],
      ['2 H', 2 * HOUR],
      ['1.5d', 1.5 * DAY],
      [0.25, 250],
    ],
    refuses: [0, '0s', -1, '-5m', 'm', '500ms', '1..5s', '5w', '', null, true, 1e12],
  }),
  'a duration with an end': about({
    kind: duration({ least: 500, most: MINUTE }),
    takes: [
      ['0.5s', 500],
      [60, MINUTE],
    ],
    refuses: ['0.4s', 0, 61, '1h'],
  }),
  'a duration that may be zero': about({
    kind: duration({ least: 0 }),
    takes: [
      [0, 0],
      ['0', 0],
    ],
    refuses: [-1],
  }),
  'a rate': about({
    kind: rate,
    takes: [
      ['5/m', { count: 5, windowMs: MINUTE }],
      ['1/s', { count: 1, windowMs: SECOND }],
      ['100/hour', { count: 100, windowMs: HOUR }],
      ['3/days', { count: 3, windowMs: DAY }],
      ['2/sec', { count: 2, windowMs: SECOND }],
      ['2/MIN', { count: 2, windowMs: MINUTE }],
      ['10/5m', { count: 10, windowMs: 5 * MINUTE }],
    ],
    refuses: ['0/m', '5/0m', '5', '5/', '/m', '5/month', '-5/m', '1.5/m', 5, null, '5/m/ip'],
  }),
  'an origin': about({
    kind: origin,
    takes: [
      ['https://app.example.com', 'https://app.example.com'],
      ['HTTPS://App.Example.com:443/', 'https://app.example.com'],
      ['http://localhost:3000', 'http://localhost:3000'],
      ['http://[::1]:3000', 'http://[::1]:3000'],
      ['capacitor://localhost', 'capacitor://localhost'],
    ],
    refuses: [
      'https://*.example.com',
      '*',
      'null',
      'https://example.com/path',
      'https://example.com?q',
      'https://user@example.com',
      'example.com',
      'https://',
      'https://a:99999',
      '',
      null,
    ],
  }),
  'a web origin': about({
    kind: webOrigin,
    takes: [['https://example.com/', 'https://example.com']],
    refuses: ['capacitor://localhost', 'https://example.com/auth', 'ftp://example.com'],
  }),
  'a link template': about({
    kind: linkTemplate('uid', 'token'),
    takes: [['https://a.example/#/{uid}/{token}', 'https://a.example/#/{uid}/{token}']],
    refuses: ['https://a.example/{uid}', '/{uid}/{token}', 'https://a.example/{uid}/{token} x'],
  }),
  'a list': about({
    kind: list(choice(['a', 'b'])),
    takes: [
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
      ['b, a', ['b', 'a']],
      ['["a"]', ['a']],
      ['a,a,', ['a']],
      ['', []],
      ['none', []],
      [[], []],
    ],
    refuses: ['c', ['a', 'c'], [['a']], '[a', 5, {}, true],
  }),
  'a list that is not empty': about({
    kind: list(text, { least: 1 }),
    takes: [['x', ['x']]],
    refuses: [[], '', ',', 'none', null],
  }),
  'a record': about({
    kind: record({ one: integer(0, 9), two: integer(0, 9) }, (given) => ({
      one: 1,
      two: 2,
      ...given,
    })),
    takes: [
      [{}, { one: 1, two: 2 }],
      [{ two: 5 }, { one: 1, two: 5 }],
      [{ one: undefined }, { one: 1, two: 2 }],
      ['{"one": "7"}', { one: 7, two: 2 }],
    ],
    refuses: [{ three: 3 }, JSON.parse('{"__proto__": {"one": 5}}'), '{', '[]', [], null, 5],
  }),
  'named objects': about({
    kind: namedObjects('objects', /^[a-z]+$/),
    takes: [
      [{}, {}],
      ['{"a": {"b": 1}}', { a: { b: 1 } }],
      [{ a: undefined }, {}],
    ],
    refuses: [{ a: 1 }, { a: [] }, JSON.parse('{"__proto__": {}}'), [], 'x', null],
  }),
}

describe.each(Object.entries(cases))('%s', (_, { kind, takes, refuses }) => {
  test.each(takes)('takes %j as %j', (input, value) => {
    expect(kind.parse(input)).toEqual({ value })
  })

  test.each(takes)('takes back what it shows for %j', (_input, value) => {
    expect(read(kind, kind.show(value))).toEqual(value)
  })

  test.each(refuses.map((input) => [input]))('refuses %j', (input) => {
    expect(kind.parse(input)).toEqual({ mistakes: expect.any(Array) })
  })
})

test('a record names the key of every value that it refuses', () => {
  const kind = record({ one: integer(0, 9), two: integer(0, 9) }, (given) => ({
    one: 1,
    two: 2,
    ...given,
  }))
  expect(kind.parse({ one: 'x', two: 10 })).toEqual({
    mistakes: [
      { path: ['one'], got: 'x', expected: 'a whole number from 0 to 9' },
      { path: ['two'], got: 10, expected: 'a whole number from 0 to 9' },
    ],
  })
})

test('a name that was not given is not found in named objects, not even an inherited one', () => {
  const named = read(namedObjects('objects', /./), {})
  expect(named?.constructor).toBeUndefined()
})

test('a secret is never shown', () => {
  expect(secret(text).show('hunter2')).not.toContain('hunter2')
  expect(list(secret(text)).show(['hunter2', 'hunter3'])).not.toContain('hunter')
})

test.each([
  [0, '0s'],
  [1500, '1.5s'],
  [90 * MINUTE, '90m'],
  [7 * DAY, '7d'],
])('a duration of %i ms is shown as %s', (ms, shown) => {
  expect(duration().show(ms)).toBe(shown)
})

import { expect, test } from 'vitest'
import { writeNumbersAsText } from '../../src/http/number-texts.ts'

test('numbers among the fields become their text, and nothing else changes', () => {
  const cases: [sent: string, read: unknown][] = [
    ['{"a":12345678901234567890}', { a: '12345678901234567890' }],
    ['{ "a" : -1.50e+3 , "b" : "2" }', { a: '-1.50e+3', b: '2' }],
    ['{"a":1e400,"b":[1,{"a":2}],"c":{"a":3}}', { a: '1e400', b: [1, { a: 2 }], c: { a: 3 } }],
    ['{"q\\"1":7,"\\u0061":8,"b\\\\":9}', { 'q"1': '7', a: '8', 'b\\': '9' }],
    ['{"a":"x","a":1}', { a: '1' }],
    ['{"a":1,"a":"x"}', { a: 'x' }],
    ['{"a":1,"a":2}', { a: '2' }],
    ['{"a":"5","b":true,"c":null}', { a: '5', b: true, c: null }],
  ]
  for (const [sent, read] of cases) {
    const fields = JSON.parse(sent)
    writeNumbersAsText(fields, sent)
    expect([sent, fields]).toEqual([sent, read])
  }
  const odd = JSON.parse('{"__proto__":1,"constructor":2}')
  writeNumbersAsText(odd, '{"__proto__":1,"constructor":2}')
  expect(Object.entries(odd)).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
  ])
  expect(Object.getPrototypeOf(odd)).toBe(Object.prototype)
})

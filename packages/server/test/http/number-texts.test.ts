import { expect, test } from 'vitest'
import { textOfNumber, withSource } from '../../src/http/body-values.ts'

test('a number among the fields is taken as it was sent', () => {
  const cases: [sent: string, name: string, text: string][] = [
    ['{"a":12345678901234567890}', 'a', '12345678901234567890'],
    ['{ "b" : "2" , "a" : -1.50e+3 }', 'a', '-1.50e+3'],
    ['{"b":[1,{"a":2}],"a":1e400,"c":{"a":3}}', 'a', '1e400'],
    ['{"q\\"1":7}', 'q"1', '7'],
    ['{"\\u0061":8,"b\\\\":9}', 'a', '8'],
    ['{"\\u0061":8,"b\\\\":9}', 'b\\', '9'],
    ['{"a":"x","a":1}', 'a', '1'],
    ['{"a":1,"a":2}', 'a', '2'],
    ['{"__proto__":1}', '__proto__', '1'],
  ]
  for (const [sent, name, text] of cases) {
    const body = JSON.parse(sent)
    expect([sent, textOfNumber(withSource(body, sent), name, body[name])]).toEqual([sent, text])
  }
  // What a host has parsed has no source.
  expect(textOfNumber({ a: 1.5 }, 'a', 1.5)).toBe('1.5')
})

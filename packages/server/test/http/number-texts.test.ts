import { expect, test, vi } from 'vitest'
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

test('a body is read once, however many numbers it has', () => {
  const names = Array.from({ length: 100 }, (_, index) => `field${index}`)
  const sent = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1.5])))
  const body = withSource(JSON.parse(sent), sent)
  const matchAll = vi.spyOn(String.prototype, 'matchAll')
  const texts = names.map((name) => textOfNumber(body, name, 1.5))
  const reads = matchAll.mock.calls.length
  vi.restoreAllMocks()
  expect(new Set(texts)).toEqual(new Set(['1.5']))
  expect(reads).toBe(1)
})

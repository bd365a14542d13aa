import { expect, test } from 'vitest'
import { checkClientData } from '../../../src/crypto/webauthn/ceremony.ts'

const encode = (text: string) => Buffer.from(text).toString('base64url')

test.each([
  '{}',
  '{"type":"x","crossOrigin":false}',
  '{ "a" : "}{:\\"" , "b" : { "a" : [ { "a" : 1 } ] } }',
  '{"__proto__":1,"constructor":2}',
])('taken: %s', (text) => {
  expect(() => checkClientData(encode(text))).not.toThrow()
})

test.each([
  '',
  'x',
  '1',
  '[]',
  'null',
  '"text"',
  '{"a":1',
  '{"a":1}{}',
  '{"a":1,"a":1}',
  '{"a":1,"\\u0061":1}',
  '{"__proto__":1,"__proto__":1}',
  '\ufeff{}',
  '{"a":[[[[]]]]}',
  '{"crossOrigin":true}',
  '{"crossOrigin":null}',
  '{"topOrigin":"https://example.org"}',
  '{"topOrigin":null}',
  `{"a":"${'x'.repeat(8192)}"}`,
])('refused: %s', (text) => {
  expect(() => checkClientData(encode(text))).toThrow()
})

test.each([undefined, null, 7, {}, [], 'e30=', 'e3 0', '+/', 'A'])('not even read: %j', (input) => {
  expect(() => checkClientData(input)).toThrow()
})

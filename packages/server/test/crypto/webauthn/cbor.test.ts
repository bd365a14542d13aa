import { expect, test } from 'vitest'
import { endOfItem } from '../../../src/crypto/webauthn/cbor.ts'
import { type CborValue, encodeCbor } from '../../support/cbor-encoder.ts'

const endOf = (hex: string) => endOfItem(Buffer.from(hex, 'hex'), 0)

test.each<CborValue>([
  0,
  23,
  24,
  255,
  256,
  65536,
  -1,
  -65536,
  '',
  'a text',
  Buffer.alloc(300),
  [],
  [1, [2, ['x']]],
  new Map<number, CborValue>([
    [1, 2],
    [-1, Buffer.alloc(32)],
  ]),
  true,
])('an item ends where it was written to: %j', (value) => {
  const bytes = encodeCbor(value)
  expect(endOfItem(bytes, 0)).toBe(bytes.length)
  expect(endOfItem(Buffer.concat([Buffer.alloc(3), bytes, Buffer.alloc(5)]), 3)).toBe(
    3 + bytes.length,
  )
})

test.each([
  ['nothing', ''],
  ['a length that is missing', '58'],
  ['half a length', '5901'],
  ['a text that ends too early', '6361'],
  ['bytes that end too early', '4401'],
  ['a list that ends too early', '8201'],
  ['a map without its last value', 'a2010201'],
  ['an indefinite list', '9f01ff'],
  ['an indefinite map', 'bf0102ff'],
  ['indefinite bytes', '5f4101ff'],
  ['a reserved length', '1c'],
  ['a break', 'ff'],
  ['a tag', 'c100'],
  ['2^32 items', '9affffffff00'],
  ['2^64 items', '9bffffffffffffffff00'],
  ['2^64 pairs', 'bbffffffffffffffff00'],
  ['2^64 bytes', '5bffffffffffffffff00'],
  ['nine lists in each other', `${'81'.repeat(9)}00`],
])('refused: %s', (_, hex) => {
  expect(() => endOf(hex)).toThrow(/CBOR/)
})

test('depth is counted, not used up', () => {
  expect(() => endOf(`${'81'.repeat(100_000)}00`)).toThrow('CBOR is nested too deeply')
  expect(endOf(`${'81'.repeat(8)}00`)).toBe(9)
})

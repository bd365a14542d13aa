import { expect, test } from 'vitest'
import { pkIn, uidOf } from '../../src/kernel/ids.ts'

test.each([1, 35, 36, 818, 12345, 2 ** 31 - 1])('%d is read in both forms', (pk) => {
  const base64 = Buffer.from(String(pk)).toString('base64url')
  expect(pkIn(uidOf(pk))).toBe(pk)
  expect(pkIn(base64)).toBe(pk)
  expect(pkIn(Buffer.from(String(pk)).toString('base64'))).toBe(pk)
})

const UUID = '0814ae83-a5b4-46d0-bb83-4e2457545581'

test.each([
  UUID,
  UUID.replaceAll('-', ''),
  UUID.toUpperCase(),
  Buffer.from(UUID).toString('base64url'),
])('%s is read as a UUID', (uid) => {
  expect(pkIn(uid)).toBe(UUID)
})

test('a UUID stands in a link without its dashes', () => {
  expect(uidOf(UUID)).toBe('0814ae83a5b446d0bb834e2457545581')
})

test.each([
  UUID.slice(1),
  `${UUID}0`,
  '',
  '0',
  '-1',
  '1.5',
  '+1',
  ' 1',
  '２',
  'zik0zk',
  'MDE',
  'LTE',
  'MQ===',
  '9'.repeat(1000),
])('%j is no uid', (uid) => {
  expect(pkIn(uid)).toBeNull()
})

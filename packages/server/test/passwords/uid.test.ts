import { expect, test } from 'vitest'
import { pkOf, uidOf } from '../../src/features/passwords/uid.ts'

test.each([1, 35, 36, 818, 12345, 2 ** 31 - 1])('%d is read in both forms', (pk) => {
  const base64 = Buffer.from(String(pk)).toString('base64url')
  expect(pkOf(uidOf(pk))).toBe(pk)
  expect(pkOf(base64)).toBe(pk)
  expect(pkOf(Buffer.from(String(pk)).toString('base64'))).toBe(pk)
})

test.each([
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
  expect(pkOf(uid)).toBeNull()
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { unusedCodes } from '../../src/map/recovery-codes.ts'
import { isOfPassword, readDjangoSession } from '../../src/map/session.ts'

const vectors = JSON.parse(
  readFileSync(new URL('../../../server/test/crypto/django/vectors.json', import.meta.url), 'utf8'),
)
const { secretKey, formerKey, passwordHash, sessions, recovery } = vectors
const UUID = '0814ae83-a5b4-46d0-bb83-4e2457545581'
const KEYS = [secretKey, formerKey]

test('a session says who is logged in, compressed or not', () => {
  expect(readDjangoSession(sessions.plain, [secretKey])).toMatchObject({ userId: '7' })
  expect(readDjangoSession(sessions.compressed, [secretKey])).toMatchObject({ userId: UUID })
})

test('a session under a former key counts only where that key is given', () => {
  expect(readDjangoSession(sessions.underFormerKey, [secretKey])).toBeNull()
  const session = readDjangoSession(sessions.underFormerKey, KEYS)
  expect(session && isOfPassword(session, passwordHash, KEYS)).toBe(true)
  expect(session && isOfPassword(session, passwordHash, [secretKey])).toBe(false)
})

test('a session ends with the password', () => {
  const session = readDjangoSession(sessions.plain, KEYS)
  expect(session && isOfPassword(session, passwordHash, KEYS)).toBe(true)
  expect(session && isOfPassword(session, `${passwordHash}x`, KEYS)).toBe(false)
})

test.each([
  ['an anonymous one', sessions.anonymous],
  ['one that unpacks to megabytes', sessions.bomb],
  ['one with another signature', `${sessions.plain.slice(0, -2)}AA`],
  ['one with another content', `a${sessions.plain}`],
  ['a text', 'session'],
  ['nothing', ''],
])('%s is no session', (_, data) => {
  expect(readDjangoSession(data, KEYS)).toBeNull()
})

test('recovery codes come from the seed, without the used ones', () => {
  const { seed, codes } = recovery
  const seeded = { seed, count: 10, digits: 8 }
  expect(unusedCodes({ ...seeded, usedMask: 0 })).toEqual(codes)
  expect(unusedCodes({ ...seeded, usedMask: 0b1000000101 })).toEqual(
    codes.filter((_: string, i: number) => ![0, 2, 9].includes(i)),
  )
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { addressIdIn, isDjangoResetToken } from '../../../src/crypto/django/links.ts'
import { unusedCodes } from '../../../src/crypto/django/recovery-codes.ts'
import {
  csrfSecretIn,
  isOfPassword,
  readDjangoSession,
} from '../../../src/crypto/django/session.ts'
import { DAY, HOUR, SECOND } from '../../../src/kernel/clock.ts'

const vectors = JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8'))
const { secretKey, formerKey, passwordHash, sessions, resets, emailKeys, recovery } = vectors
const NOW = vectors.seconds * SECOND
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

const ADA = {
  pk: '7',
  passwordHash,
  lastLogin: Date.UTC(2029, 11, 31, 23, 59, 59, 900),
  email: 'ada@example.com',
  addresses: ['second@example.com', 'ada@example.com'],
}
const RULES = { secretKeys: KEYS, timeZone: 'UTC', lifetimeMs: HOUR }

test.each([
  ['in the zone of the project', resets.berlin, ADA, { ...RULES, timeZone: 'Europe/Berlin' }],
  ['in UTC', resets.utc, ADA, RULES],
  ['under a former key', resets.underFormerKey, ADA, RULES],
  [
    'of a user with a UUID who never logged in',
    resets.uuidNeverLoggedIn,
    { ...ADA, pk: UUID, lastLogin: null, addresses: [] },
    RULES,
  ],
  [
    'of a user without an address',
    resets.noAddress,
    { ...ADA, lastLogin: null, email: '', addresses: [] },
    RULES,
  ],
])('a reset token %s is good until it is too old', (_, token, owner, rules) => {
  const isGood = (now: number) => isDjangoResetToken(token, owner, rules, now)
  expect(isGood(NOW)).toBe(true)
  expect(isGood(NOW + HOUR)).toBe(true)
  expect(isGood(NOW + HOUR + SECOND)).toBe(false)
  expect(isGood(NOW - HOUR)).toBe(false)
})

test.each([
  ['another user', { pk: '8' }],
  ['another password', { passwordHash: '!' }],
  ['a later login', { lastLogin: ADA.lastLogin + SECOND }],
  ['another address', { email: 'new@example.com' }],
  ['one address less', { addresses: [] }],
])('a reset token is not good for %s', (_, change) => {
  expect(isDjangoResetToken(resets.utc, { ...ADA, ...change }, RULES, NOW)).toBe(false)
})

test.each(['', '-', 'abc', `${resets.utc}0`, resets.utc.toUpperCase()])(
  '%j is no reset token',
  (token) => {
    expect(isDjangoResetToken(token, ADA, RULES, NOW)).toBe(false)
  },
)

test('a reset token counts in the zone of the project only', () => {
  const rules = { ...RULES, lifetimeMs: HOUR - SECOND }
  expect(isDjangoResetToken(resets.berlin, ADA, rules, NOW)).toBe(false)
})

test('an e-mail key names an address until it is too old', () => {
  const rules = { secretKeys: [secretKey], lifetimeMs: 3 * DAY }
  expect(addressIdIn(emailKeys.of42, rules, NOW + 3 * DAY)).toBe(42)
  expect(addressIdIn(emailKeys.of42, rules, NOW + 3 * DAY + 1)).toBeNull()
  expect(addressIdIn(emailKeys.underFormerKey, rules, NOW)).toBeNull()
  expect(addressIdIn(emailKeys.underFormerKey, { ...rules, secretKeys: KEYS }, NOW)).toBe(42)
  expect(addressIdIn(emailKeys.otherSalt, rules, NOW)).toBeNull()
  expect(addressIdIn(emailKeys.otherSalt, { ...rules, salt: 'mine' }, NOW)).toBe(42)
})

test('recovery codes come from the seed, without the used ones', () => {
  const { seed, codes } = recovery
  const seeded = { seed, count: 10, digits: 8 }
  expect(unusedCodes({ ...seeded, usedMask: 0 })).toEqual(codes)
  expect(unusedCodes({ ...seeded, usedMask: 0b1000000101 })).toEqual(
    codes.filter((_: string, i: number) => ![0, 2, 9].includes(i)),
  )
})

test('a CSRF token is the secret, plain or masked', () => {
  const { secret, masked } = vectors.csrf
  expect(csrfSecretIn(secret)).toBe(secret)
  for (const token of masked) expect(csrfSecretIn(token)).toBe(secret)
  for (const token of ['', 'x', `${secret}x`, `${secret.slice(1)}-`]) {
    expect(csrfSecretIn(token)).toBeNull()
  }
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { csrfSecretIn } from '../../../src/crypto/django/csrf-secret.ts'
import { addressIdIn, isDjangoResetToken } from '../../../src/crypto/django/links.ts'
import { DAY, HOUR, SECOND } from '../../../src/kernel/clock.ts'

const vectors = JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8'))
const { secretKey, formerKey, passwordHash, resets, emailKeys } = vectors
const NOW = vectors.seconds * SECOND
const UUID = '0814ae83-a5b4-46d0-bb83-4e2457545581'
const KEYS = [secretKey, formerKey]

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
})

test('a CSRF token is the secret, plain or masked', () => {
  const { secret, masked } = vectors.csrf
  expect(csrfSecretIn(secret)).toBe(secret)
  for (const token of masked) expect(csrfSecretIn(token)).toBe(secret)
  for (const token of ['', 'x', `${secret}x`, `${secret.slice(1)}-`]) {
    expect(csrfSecretIn(token)).toBeNull()
  }
})

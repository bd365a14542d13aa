import { describe, expect, test } from 'vitest'
import { base32, createTotp, fromBase32, hotp } from '../../src/crypto/totp.ts'

const RFC_SECRET = Buffer.from('12345678901234567890')

test.each(
  [
    '755224',
    '287082',
    '359152',
    '969429',
    '338314',
    '254676',
    '287922',
    '162583',
    '399871',
    '520489',
  ].map((code, count) => [count, code] as const),
)('RFC 4226, appendix D: count %i', (count, code) => {
  expect(hotp(RFC_SECRET, count, 6)).toBe(code)
})

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('RFC 6238, appendix B: second %i', (seconds, code) => {
  const totp = createTotp({ digits: 8, periodSeconds: 30 })
  expect(totp.stepOf(RFC_SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30))
})

describe('the window', () => {
  const totp = createTotp({ digits: 6, periodSeconds: 30 })
  const now = 1_000_000 * 30_000

  test.each([-1, 0, 1])('%i steps away is accepted, and told as what it is', (steps) => {
    const code = hotp(RFC_SECRET, 1_000_000 + steps, 6)
    expect(totp.stepOf(RFC_SECRET, code, now)).toBe(1_000_000 + steps)
    expect(totp.stepOf(RFC_SECRET, code, now + 29_999)).toBe(1_000_000 + steps)
  })

  test.each([-3, -2, 2, 3])('%i steps away is refused', (steps) => {
    const code = hotp(RFC_SECRET, 1_000_000 + steps, 6)
    expect(totp.stepOf(RFC_SECRET, code, now)).toBeUndefined()
  })

  test.each(['', '1', '１２３４５６', 'éé', 'ééé', 'abcdef', '1234567', '-12345'])(
    'what is no code is refused: "%s"',
    (text) => {
      expect(totp.stepOf(RFC_SECRET, text, now)).toBeUndefined()
    },
  )
})

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('RFC 4648, section 10: base32 of "%s"', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded)
  expect(fromBase32(encoded).toString()).toBe(text)
})

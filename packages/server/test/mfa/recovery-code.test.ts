import { expect, test } from 'vitest'
import { canonicalRecoveryCode, newRecoveryCode } from '../../src/features/mfa/recovery-codes.ts'

test('a code has five characters, a dash and five more, none of which look alike', () => {
  for (let i = 0; i < 1000; i++) {
    expect(newRecoveryCode()).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/)
  }
})

test('all 32 characters occur in every place, and no code comes twice', () => {
  const codes = Array.from({ length: 2000 }, newRecoveryCode)
  expect(new Set(codes).size).toBe(codes.length)
  for (const place of [0, 4, 6, 10]) {
    expect(new Set(codes.map((code) => code[place])).size).toBe(32)
  }
})

test.each([
  ['as it was shown', 'abc01-de2fg', 'abc01de2fg'],
  ['in capitals', 'ABC01-DE2FG', 'abc01de2fg'],
  ['without the dash', 'abc01de2fg', 'abc01de2fg'],
  ['with spaces', ' abc01  de2fg ', 'abc01de2fg'],
  ['with look-alikes', 'abcOI-de2fg', 'abc01de2fg'],
  ['with other look-alikes', 'abcol-de2fg', 'abc01de2fg'],
  ['of the original', '318F-7ff0', '318f7ff0'],
  ['of another service', 'LEFT-0VER-c0de', '1eft0verc0de'],
])('a code is recognised %s', (_, typed, canonical) => {
  expect(canonicalRecoveryCode(typed)).toBe(canonical)
})

test.each(['', '-', '123456', 'abc0', 'x'.repeat(65), 'ａbc01-de2fg'])(
  'what can be no code is not looked up: "%s"',
  (typed) => {
    expect(canonicalRecoveryCode(typed)).toBeUndefined()
  },
)

import { expect, test } from 'vitest'
import { createIsCommon } from '../../src/features/passwords/common-passwords.ts'
import { createPasswordRules } from '../../src/features/passwords/password-rules.ts'
import { isSimilar } from '../../src/features/passwords/similarity.ts'

const rules = createPasswordRules()
const codes = (password: string, details = {}) => rules(password, details).map((f) => f.code)

test.each([
  ['correct horse battery staple', []],
  ['1234567', ['password_too_short', 'password_too_common', 'password_numeric']],
  ['٣٤٥٦٧٨٩٠١٢', ['password_numeric']],
  ['PassWord1', ['password_too_common']],
  [' password1 ', ['password_too_common']],
  ['😀😀😀😀😀😀😀', ['password_too_short']],
  ['😀😀😀😀😀😀😀😀', []],
])('%j breaks these rules: %j', (password, broken) => {
  expect(codes(password)).toEqual(broken)
})

test('the attributes are compared in the order of the original, and one likeness is told', () => {
  const details = { username: 'x', first_name: 'Lovelace', last_name: 'Lovelace', email: '' }
  expect(rules('lovelace1', details).map((f) => f.text)).toEqual([
    'The password is too similar to the first name.',
  ])
})

test.each([
  ['lovelace1', 'ada@lovelace.example', true],
  ['adalovelace', 'ada.lovelace@example.com', true],
  ['ecalevol', 'lovelace', true],
  ['correct horse', 'ada', false],
  ['aaaaaaaaaaaaaaaaaaaa', 'a', false],
  ['lantern-77-oak', '', false],
  ['lantern-77-oak', 'ada@example.com', false],
])('%s is like %s: %s', (password, value, similar) => {
  expect(isSimilar(password, value)).toBe(similar)
})

test('long values of many parts are compared quickly', () => {
  const start = performance.now()
  isSimilar('x'.repeat(128), 'x-'.repeat(127))
  expect(performance.now() - start).toBeLessThan(50)
})

test('the list is long, and looked up quickly', () => {
  const isCommon = createIsCommon()
  const start = performance.now()
  for (let i = 0; i < 10_000; i++) isCommon(`password${i}`)
  expect(performance.now() - start).toBeLessThan(500)
})

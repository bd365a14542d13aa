import { expect, test } from 'vitest'
import { isCommon } from '../../src/features/passwords/common-passwords.ts'
import { isSimilar, passwordRules } from '../../src/features/passwords/password-rules.ts'

const codes = async (password: string, details = {}) =>
  (await passwordRules(password, details)).map((f) => f.code)

test.each([
  ['correct horse battery staple', []],
  ['1234567', ['password_too_short', 'password_too_common', 'password_numeric']],
  ['٣٤٥٦٧٨٩٠١٢', ['password_numeric']],
  ['PassWord1', ['password_too_common']],
  [' password1 ', ['password_too_common']],
  ['😀😀😀😀😀😀😀', ['password_too_short']],
  ['😀😀😀😀😀😀😀😀', []],
])('%j breaks these rules: %j', async (password, broken) => {
  expect(await codes(password)).toEqual(broken)
})

test('the attributes are compared in the order of Django, and one similarity is reported', async () => {
  const details = { username: 'x', first_name: 'Lovelace', last_name: 'Lovelace', email: '' }
  const faults = await passwordRules('lovelace1', details)
  expect(faults.map((f) => f.text)).toEqual(['The password is too similar to the first name.'])
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

test('a long value of many parts is compared part by part, and as a whole', () => {
  expect(isSimilar('x'.repeat(128), 'x-'.repeat(127))).toBe(false)
  expect(isSimilar('x'.repeat(128), 'x'.repeat(127))).toBe(true)
})

test('common passwords are known in any case, with spaces around them', () => {
  for (const password of ['password1', 'PassWord1', ' password1 ']) {
    expect(isCommon(password), password).toBe(true)
  }
  for (const password of ['lantern-77-oak', 'passwordpasswor', 'short', '', '123456\npassword']) {
    expect(isCommon(password), password).toBe(false)
  }
})

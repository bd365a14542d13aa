import { expect, test } from 'vitest'
import { skeletonOf } from '../../src/kernel/skeleton.ts'

test.each([
  ['a Cyrillic letter', 'admin', 'аdmin'],
  ['a Cyrillic letter in another case', 'ADMIN', 'аdmin'],
  ['a Greek capital', 'hello', 'Ηello'],
  ['capitals of another alphabet throughout', 'bob', 'ВОВ'],
  ['a capital i for an l', 'paypal', 'paypaI'],
  ['a digit for a letter', 'oliver', '0liver'],
  ['two letters for one', 'mary', 'rnary'],
  ['two other alphabets', 'οra', 'оrа'],
])('%s looks the same: %s, %s', (_, one, other) => {
  expect(skeletonOf(other)).toBe(skeletonOf(one))
})

test.each([
  ['van', 'nan'],
  ['jose', 'josé'],
  ['ada', 'adam'],
  ['борис', 'boris'],
  ['日本', '本日'],
])('%s and %s do not', (one, other) => {
  expect(skeletonOf(other)).not.toBe(skeletonOf(one))
})

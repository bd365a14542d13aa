import { expect, test } from 'vitest'
import { strengthOf } from '../src/strength.ts'

test.each([
  ['', 0],
  ['Ab1!xyz', 0],
  ['aaaaaaaaaaaa', 1],
  ['12345678', 1],
  ['abcdefghij', 1],
  ['kitchen7', 2],
  ['correct horse battery staple', 4],
  ['Nn-5566-yy-lantern', 4],
])('"%s" is of strength %i', (password, strength) => {
  expect(strengthOf(password)).toBe(strength)
})

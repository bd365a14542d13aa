import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { edited } from '../../../../scripts/torture/edit-product.js'
import { proofs } from '../../../../scripts/torture/proofs.js'
import { foundIn } from '../../../../scripts/torture/secrets/search.js'
import { LATER } from '../../../../scripts/torture/upgrade/versions.js'

const sourceOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

test('every proof has its own name, and a product that it must find broken', () => {
  const names = proofs.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  for (const { name, shows, broken } of proofs) {
    expect(shows, name).not.toBe('')
    expect(broken, name).not.toEqual([])
  }
})

test('every edit of the product still fits its sources, and changes them', () => {
  for (const edit of [...proofs.flatMap(({ broken }) => broken), LATER]) {
    const source = sourceOf(edit.file)
    expect(edited(source, edit), edit.why).not.toBe(source)
  }
})

test.each([
  ['{"code":"123456"}', ['login code']],
  ['your code is 123 456.', ['login code']],
  ['it took 0.123456 s, and 1234567 bytes', []],
  ['random bytes\0 123456', []],
  ['random bytes\0Reset-9922-canary', ['password']],
  [btoa('Reset-9922-canary'), ['password']],
])('in %j the search for secrets finds %j', (text, names) => {
  const canaries = { 'login code': '123 456', password: 'Reset-9922-canary' }
  expect(foundIn(Buffer.from(text), canaries)).toEqual(names)
})

test.each([
  ['nowhere', 'const guard = 1'],
  ['twice', 'const limit = 1\nconst other = limit = 1'],
])('an edit that fits %s is an error', (_, text) => {
  const edit = { file: 'src/a.ts', from: 'limit = 1', to: 'limit = 2' }
  expect(() => edited(text, edit)).toThrow('times in src/a.ts, instead of once')
})

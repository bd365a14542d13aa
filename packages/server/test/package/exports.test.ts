import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { exportsOf, exportsPage } from '../../build/exports-page.js'
import { publishedTypes } from '../../build/published-types.js'
import manifest from '../../package.json' with { type: 'json' }
import { problems } from '../../src/kernel/problem-table.ts'
import { answers } from '../../src/kernel/words/answers.ts'
import { letters } from '../../src/kernel/words/letters.ts'
import { formsOf } from '../../src/kernel/words/text.ts'

const modules = publishedTypes()
const committed = readFileSync(new URL('../../../../docs/exports.md', import.meta.url), 'utf8')

test('docs/exports.md is what the package declares (after a change on purpose: npm run docs)', () => {
  expect(committed).toBe(exportsPage(modules))
})

test.each(modules)('every export of %s says what it is', (_, declarations) => {
  const silent = exportsOf(declarations).filter(({ says }) => says === '')
  expect(silent).toEqual([])
})

test.each(modules)('%s declares neither the words nor the refusals of the service', (_, text) => {
  const subjects = Object.values(letters).map(({ subject }) => subject)
  const codes = Object.keys(problems).map((code) => `${code}: {`)
  const words = [...Object.values(answers).flatMap(formsOf), ...subjects, ...codes]
  expect(words.filter((one) => text.includes(one))).toEqual([])
})

/** Its values need a runner that is not installed here. */
const importable = modules.filter(([name]) => name !== 'latchkey/testing/playwright')

test.each(importable)(
  '%s exports the values that it declares, and no others',
  async (name, declarations) => {
    const values = exportsOf(declarations).filter(({ kind }) => /function|const|class/.test(kind))
    expect(values).not.toEqual([])
    expect(Object.keys(await import(name)).sort()).toEqual(values.map((one) => one.name).sort())
  },
)

test('nothing else of the package can be imported', async () => {
  expect(Object.keys(manifest.exports)).toEqual([
    ...['.', './verify', './testing', './testing/vitest', './testing/playwright'],
    './package.json',
  ])
  const { resolve } = createRequire(import.meta.url)
  expect(() => resolve('latchkey/dist/index.js')).toThrow('is not defined by "exports"')
})

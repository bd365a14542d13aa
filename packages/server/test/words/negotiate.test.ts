import { expect, test } from 'vitest'
import { preferredLanguage } from '../../src/kernel/words/negotiate.ts'

const ALL = ['en', 'de', 'pt-BR', 'zh-Hans', 'zh-Hant']

test.each([
  ['de', 'de'],
  ['DE-at', 'de'],
  ['de-CH-1996', 'de'],
  ['xh, de;q=0.5', 'de'],
  ['en;q=0.4, de;q=0.8', 'de'],
  ['en;q=0.8, de;q=0.8', 'en'],
  ['pt-BR', 'pt-BR'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['zh', 'zh-Hans'],
  ['zh-CN', 'zh-Hans'],
  ['zh-SG', 'zh-Hans'],
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh-MO', 'zh-Hant'],
  ['zh-Hant-TW', 'zh-Hant'],
  ['zh-Hans-HK', 'zh-Hans'],
  ['*', 'en'],
  ['xh, *;q=0.1', 'en'],
  ['en;q=0, *', 'de'],
  ['de;q=0', null],
  ['de;q=0.000, en;q=0.1', 'en'],
  ['de;q=2', null],
  ['de;q=x', null],
  ['de; q = 0.5', 'de'],
  ['', null],
  ['xh', null],
  ['d', null],
  ['de_DE', null],
  ['../../etc/passwd', null],
  ['__proto__', null],
  [',,;;q=1', null],
])('%j is answered in %j', (header, language) => {
  expect(preferredLanguage(header, ALL)).toBe(language)
})

test('the two ways to write Chinese do not replace each other', () => {
  expect(preferredLanguage('zh-TW', ['en', 'zh-Hans'])).toBe(null)
  expect(preferredLanguage('zh-Hant', ['en', 'zh-Hans'])).toBe(null)
  expect(preferredLanguage('zh-Hant-HK', ['en', 'zh-Hans'])).toBe(null)
  expect(preferredLanguage('zh-Hans', ['en', 'zh-Hant'])).toBe(null)
  expect(preferredLanguage('zh', ['en', 'zh-Hant'])).toBe(null)
})

test('a variant is good where the language itself is not there, and the other way round', () => {
  expect(preferredLanguage('pt-BR', ['en', 'pt'])).toBe('pt')
  expect(preferredLanguage('en-AU', ['de', 'en-GB'])).toBe('en-GB')
})

test('only the beginning of a header is read', () => {
  expect(preferredLanguage(`${'xh,'.repeat(100)}de`, ALL)).toBe('de')
  expect(preferredLanguage(`${'xh,'.repeat(10_000)}de`, ALL)).toBe(null)
})

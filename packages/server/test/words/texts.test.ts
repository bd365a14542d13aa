import { expect, expectTypeOf, test } from 'vitest'
import { fault, problem } from '../../src/kernel/problems.ts'
import { directionOf } from '../../src/kernel/words/direction.ts'
import { fill, type ValuesOf } from '../../src/kernel/words/text.ts'
import { readLanguage } from '../../src/settings/words-files.ts'

const language = (code: string) => readLanguage(code, { WORDS_DIR: null })
const throttled = (code: string, seconds: number) =>
  problem('throttled', { seconds }).bodyIn(language(code)).detail

test('English is as Django REST framework says it', () => {
  expect(throttled('en', 1)).toBe('Request was throttled. Expected available in 1 second.')
  expect(throttled('en', 54)).toBe('Request was throttled. Expected available in 54 seconds.')
  expect(throttled('en', 0)).toBe('Request was throttled. Expected available in 0 seconds.')
  expect(fault('too_long', { max: 4096 }).text).toBe(
    'Ensure this field has no more than 4096 characters.',
  )
})

test('each language has its plurals', () => {
  const forms = (code: string) => {
    const texts = [1, 2, 5, 21].map((count) => String(throttled(code, count)))
    return texts.map((text) => /(?<=\d )\p{L}+/u.exec(text)?.[0])
  }
  expect(forms('ru')).toEqual(['секунду', 'секунды', 'секунд', 'секунду'])
  expect(forms('pl')).toEqual(['sekundę', 'sekundy', 'sekund', 'sekund'])
  expect(forms('de')).toEqual(['Sekunde', 'Sekunden', 'Sekunden', 'Sekunden'])
  expect(new Set([1, 2, 5, 21].map((count) => throttled('ar', count))).size).toBe(4)
  expect(new Set(forms('ja')).size).toBe(1)
})

test('numbers are written as the language writes them', () => {
  expect(fault('too_long', { max: 4096 }).textIn(language('de'))).toContain('4.096')
  expect(fault('too_long', { max: 4096 }).textIn(language('fa'))).toContain('۴٬۰۹۶')
})

test('a value from left to right is kept apart from the words around it', () => {
  const origin = 'https://evil.example'
  const said = fault('csrf_foreign_origin', { origin }).textIn(language('ar'))
  expect(said).toContain(`\u2068${origin}\u2069`)
  expect(fault('csrf_foreign_origin', { origin }).textIn(language('de'))).toContain(` ${origin} `)
})

test('the script decides the direction, and else the language', () => {
  const rtl = 'ar fa-AF he ur ckb ckb-IR ps sd ug yi syr dv pa-Arab uz-arab-AF ff-Adlm'
  for (const one of rtl.split(' ')) expect(directionOf(one), one).toBe('rtl')
  for (const one of 'en arn ar-Latn ks-Deva pa uz pt-BR zh-Hans psx'.split(' '))
    expect(directionOf(one), one).toBe('ltr')
  expect(directionOf('')).toBe('ltr')
})

test('a value is text: it is not filled in again', () => {
  expect(fill('{input} {max}', { input: '{max}', max: 3 }, 'en')).toBe('{max} 3')
  expect(fill('{constructor}', {}, 'en')).toBe('{constructor}')
})

test('an attribute is said in the same language', () => {
  const similar = fault('password_too_similar', { attribute: 'email' })
  expect(similar.text).toBe('The password is too similar to the email address.')
  expect(similar.textIn(language('de'))).toContain(language('de').words.attributes.email)
})

test('the types know the values of each text', () => {
  expectTypeOf<ValuesOf<'{max} of {name}'>>().toEqualTypeOf<{
    readonly max: number
    readonly name: string
  }>()
  // @ts-expect-error a value is missing
  fault('too_long')
  // @ts-expect-error it has another name
  fault('too_long', { most: 3 })
  // @ts-expect-error it has no value
  problem('not_found', { what: 'it' })
})

import { expect, test } from 'vitest'
import { languages } from '../../src/settings/languages.ts'
import type { Mapped } from '../../src/settings/mapping.ts'

const LOCALE = ['django.middleware.locale.LocaleMiddleware']

function carried(dump: Record<string, unknown>) {
  const all = languages.flatMap(({ carry }) => carry(new Map(Object.entries(dump))))
  const isSetting = (one: Mapped) => 'setting' in one
  const settings = all
    .filter(isSetting)
    .map((one) => ('setting' in one ? [one.setting, one.value] : []))
  const notes = all.flatMap((one) => ('note' in one ? [one.note] : []))
  return { settings: Object.fromEntries(settings), notes }
}

test.each([
  [{}, {}],
  [{ LANGUAGE_CODE: 'en-gb' }, {}],
  [{ LANGUAGE_CODE: 'de' }, { LANGUAGE_CODE: 'de', LANGUAGES: ['de'] }],
  [{ LANGUAGE_CODE: 'de', USE_I18N: false }, {}],
  [{ LANGUAGE_CODE: 'pt' }, { LANGUAGE_CODE: 'pt-BR', LANGUAGES: ['pt-BR'] }],
  [
    {
      LANGUAGES: [
        ['en', 'English'],
        ['de', 'German'],
      ],
    },
    {},
  ],
  [
    {
      MIDDLEWARE: LOCALE,
      LANGUAGES: [
        ['en', 'English'],
        ['de', 'German'],
        ['zh-hant', '繁體'],
      ],
    },
    { LANGUAGES: ['en', 'de', 'zh-Hant'] },
  ],
])('%j is %j', (dump, settings) => {
  expect(carried(dump)).toEqual({ settings, notes: [] })
})

test('without a list, the middleware means every language', () => {
  const { LANGUAGES } = carried({ MIDDLEWARE: LOCALE }).settings
  expect(LANGUAGES).toHaveLength(20)
  expect(LANGUAGES[0]).toBe('en')
})

test('a language without words is noted, and not carried', () => {
  const dump = {
    MIDDLEWARE: LOCALE,
    LANGUAGES: [
      ['en', 'English'],
      ['eo', 'Esperanto'],
    ],
  }
  expect(carried(dump)).toEqual({
    settings: {},
    notes: [expect.stringContaining('no words in eo')],
  })
})

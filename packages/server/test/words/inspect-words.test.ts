import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { wordsFindings } from '../../src/features/administration/findings/setting-findings.ts'
import type { LetterName } from '../../src/kernel/letter-names.ts'
import { inspectWords } from '../../src/kernel/words/inspect-words.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { inspectFolder, knownLanguages, readLanguage } from '../../src/settings/words-files.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const SHIPPED = join(ROOT, 'packages/server/words')

test('these languages are shipped, and say everything', () => {
  expect(knownLanguages({ WORDS_DIR: null }).toSorted()).toEqual(
    'ar cs de en es fa fr id it ja ko nl pl pt-BR ru sv tr uk zh-Hans zh-Hant'.split(' '),
  )
  for (const { code, missing, wrong } of inspectFolder(SHIPPED)) {
    expect({ code, missing, wrong }).toEqual({ code, missing: [], wrong: [] })
  }
})

const wrongWith = (file: unknown, language = 'de') => inspectWords(file, language).wrong

const letter = (name: LetterName, body: readonly string[]) => ({
  letters: { [name]: { subject: '{site}', body } },
})

test.each([
  [{ answers: { not_found: 'Fehlt.' } }, []],
  [{ answers: { not_found: ' ' } }, ['answers.not_found is empty']],
  [
    { answers: { not_found: 7 } },
    ['answers.not_found is neither a text nor an object of plural forms'],
  ],
  [{ answers: { nowhere: 'x' } }, ['answers.nowhere is not a word of the service']],
  [{ answer: {} }, ['there is no section answer']],
  [{ answers: [] }, ['answers is not an object']],
  [[], ['the file is not an object']],
  [{ answers: { too_long: 'Zu lang.' } }, ['answers.too_long lacks {max}']],
  [
    { answers: { too_long: '{max} {min}' } },
    ['answers.too_long has {min}, but can contain only {max}'],
  ],
  [{ answers: { not_found: '{max}' } }, ['answers.not_found has {max}, but can contain no values']],
  [
    { answers: { too_long: '{max} {min' } },
    ['answers.too_long has a brace that belongs to no value'],
  ],
  [{ answers: { too_long: { one: '{max} Zeichen', other: '{max} Zeichen' } } }, []],
  [{ answers: { too_long: { other: '{max}' } } }, ['answers.too_long lacks one']],
  [
    { answers: { too_long: { one: '{max}', few: '{max}', other: '{max}' } } },
    ['answers.too_long has few, which the language does not use'],
  ],
  [
    { answers: { too_long: { one: 'eines', other: 'viele' } } },
    ['answers.too_long (other) lacks {max}'],
  ],
  [
    { answers: { not_found: { one: 'a', other: 'b' } } },
    ['answers.not_found has plural forms, but no number decides'],
  ],
  [letter('reset-password', ['Bei {site}:', '{link}', 'Ihr Name ist {username}.']), []],
  [
    { letters: { 'reset-password': 'x' } },
    ['letters.reset-password needs a subject and a list of paragraphs'],
  ],
  [letter('reset-password', ['{username}', '{link}', '{site}', '{uid}', '{token}']), []],
  [letter('reset-password', ['https://app.example/{uid}/{token}', '{username} at {site}']), []],
  [
    letter('reset-password', ['{username}', '{site}', 'Here: https://app.example/{uid}/{token}']),
    [
      'letters.reset-password must have {uid} and {token} in a link, such as https://…, that is alone in its paragraph',
    ],
  ],
  [
    letter('verify-email', ['{site}', 'app.example/{key}']),
    [
      'letters.verify-email must have {key} in a link, such as https://…, that is alone in its paragraph',
    ],
  ],
  [letter('change-email', ['app://confirm/{key}', '{site}']), []],
  [letter('invitation', ['{site}, {date}', '{key}']), []],
  [letter('logins-ended', ['{site}', '{username}']), []],
  [letter('new-device', ['{time}: {site}', '{address}', '{browser}', '{username}']), []],
  [
    letter('reset-password', ['{site}', '{username}', 'https://app.example/{token}']),
    ['letters.reset-password lacks {link}'],
  ],
  [
    letter('reset-password', ['{site}: {link}', '{username}']),
    ['letters.reset-password must have {link} alone in its paragraph'],
  ],
  [
    letter('login-code', ['{site}: {code}']),
    ['letters.login-code must have {code} alone in its paragraph'],
  ],
  [
    letter('reset-password', ['{site}', 'https://app.example/{username}/{uid}/{token}']),
    [
      'letters.reset-password must have {username} in a paragraph without {uid} and {token}, because it is left out if there is no {username}',
    ],
  ],
  [
    letter('reset-password', ['{link}', '{username}, {site}', '{code}']),
    [
      'letters.reset-password has {code}, but can contain only {site}, {link}, {username}, {uid} and {token}',
    ],
  ],
  [
    letter('password-changed', ['{site}', '{username}', '{key}']),
    ['letters.password-changed has {key}, but can contain only {site} and {username}'],
  ],
])('%j: %j', (file, wrong) => {
  expect(wrongWith(file)).toEqual(wrong)
})

test('a form for one number alone need not say the number', () => {
  const arabic = { zero: 'x', one: 'x', two: 'x', few: '{max}', many: '{max}', other: '{max}' }
  expect(wrongWith({ answers: { too_long: arabic } }, 'ar')).toEqual([])
  // Of 21, too.
  const russian = { one: 'x', few: '{max}', many: '{max}', other: '{max}' }
  expect(wrongWith({ answers: { too_long: russian } }, 'ru')).toEqual([
    'answers.too_long (one) lacks {max}',
  ])
})

async function folderWith(files: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-words-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await writeFile(join(folder, name), text)
  }
  return folder
}

test('"npm run check" fails if a language lacks a word or a value', {
  timeout: 60_000,
}, async () => {
  const german = JSON.parse(await readFile(join(SHIPPED, 'de.json'), 'utf8'))
  const check = (folder: string) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'scripts/check-words.js'), folder]).then(
      () => 'good',
      ({ stderr }) => stderr,
    )
  expect(await check(await folderWith({ 'de.json': german }))).toBe('good')
  delete german.pages['login.title']
  german.answers.too_long = 'Zu lang.'
  expect(await check(await folderWith({ 'de.json': german }))).toBe(
    'de.json: pages.login.title is missing\nde.json: answers.too_long lacks {max}\n',
  )
})

test('a folder of the deployment changes words, and adds languages', async () => {
  const folder = await folderWith({
    'de.json': { answers: { not_found: 'Gibt es nicht.' } },
    'eo.json': { answers: { not_found: 'Ne trovita.' } },
  })
  const read = (code: string) => readLanguage(code, { WORDS_DIR: folder }).words
  expect(read('de').answers.not_found).toBe('Gibt es nicht.')
  expect(read('de').answers.required).toBe(
    readLanguage('de', { WORDS_DIR: null }).words.answers.required,
  )
  expect(read('eo').answers.not_found).toBe('Ne trovita.')
  expect(read('eo').answers.required).toBe('This field is required.')
  expect(knownLanguages({ WORDS_DIR: folder })).toContain('eo')
})

const mistakes = (input: object): readonly string[] => {
  try {
    resolveSettings(input)
    return []
  } catch (error) {
    return (error as { mistakes: readonly string[] }).mistakes
  }
}

test('a file with words may begin with a byte order mark, as some editors write it', async () => {
  const folder = await folderWith({ 'eo.json': '\uFEFF{"answers": {"not_found": "Ne trovita."}}' })
  expect(readLanguage('eo', { WORDS_DIR: folder }).words.answers.not_found).toBe('Ne trovita.')
  expect(mistakes({ WORDS_DIR: folder })).toEqual([])
})

test('languages without words, and words that are wrong, stop the start', async () => {
  const folder = await folderWith({ 'eo.json': { answers: { too_long: 'Tro longa.' } } })
  expect(mistakes({ LANGUAGES: ['en', 'de', 'pt-br', 'ZH-hant'] })).toEqual([])
  expect(mistakes({ LANGUAGES: 'de, en' })).toEqual([])
  expect(mistakes({ LANGUAGES: ['de'] })).toEqual([
    'LANGUAGE_CODE: is en, but LANGUAGES has only de; add it, or choose one of them',
  ])
  expect(mistakes({ LANGUAGES: ['en', 'eo'] })).toEqual([
    'LANGUAGES: there are no words in eo; add eo.json to WORDS_DIR',
  ])
  expect(mistakes({ LANGUAGES: ['en', 'pt'] })).toEqual([
    'LANGUAGES: there are no words in pt; name pt-BR instead, or add pt.json to WORDS_DIR',
  ])
  expect(mistakes({ LANGUAGES: [] })).toHaveLength(1)
  expect(mistakes({ LANGUAGES: ['en', '../de'] })).toHaveLength(1)
  for (const language of ['de-us-us', 'zh-tw-x1', 'de-old']) {
    expect(mistakes({ LANGUAGES: ['en', language], PORT: 'abc' })).toEqual([
      'PORT (settings): got "abc", expected a whole number from 0 to 65535',
      `LANGUAGES (settings): got "${language}", expected a language, such as de or pt-BR`,
    ])
  }
  expect(mistakes({ WORDS_DIR: folder })).toEqual([
    'WORDS_DIR: eo.json: answers.too_long lacks {max}',
  ])
  expect(mistakes({ WORDS_DIR: join(folder, 'nowhere') })).toEqual([
    `WORDS_DIR: the folder ${folder}/nowhere cannot be read`,
  ])
  const broken = await folderWith({ 'de.json': '{' })
  expect(mistakes({ WORDS_DIR: broken })).toEqual(['WORDS_DIR: de.json: is not JSON'])
  for (const code of ['not a language', 'de-v2', 'pt-br']) {
    const strange = await folderWith({ [`${code}.json`]: {} })
    expect(mistakes({ WORDS_DIR: strange })).toEqual([
      `WORDS_DIR: ${code}.json: is not named after a language, such as de.json or pt-BR.json`,
    ])
  }
})

test('no field of a user can be called codes', () => {
  expect(mistakes({ USER_FIELDS: { codes: { type: 'string' } } })).toHaveLength(1)
  expect(mistakes({ USER_FIELDS: { language: { type: 'string' } } })).toEqual([])
})

test('"latchkey check" names the words that a language of the deployment lacks', async () => {
  const folder = await folderWith({
    'eo.json': { answers: { not_found: 'Ne trovita.' } },
    'de.json': { answers: { not_found: 'Gibt es nicht.' } },
  })
  const [finding, ...others] = wordsFindings(resolveSettings({ WORDS_DIR: folder }))
  expect(others).toEqual([])
  expect(finding?.about).toBe('words in eo')
  expect(finding?.says).toMatch(/^are missing, so English is used: answers\..* and \d+ more$/)
  expect(wordsFindings(resolveSettings({}))).toEqual([])
})

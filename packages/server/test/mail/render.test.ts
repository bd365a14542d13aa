import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LETTER_NAMES, type LetterName } from '../../src/kernel/letter-names.ts'
import { ENGLISH } from '../../src/kernel/words/english.ts'
import { createRender } from '../../src/mailer/render.ts'
import { lettersFrom } from '../../src/mailer/words/from-folder.ts'
import { readLanguage } from '../../src/settings/words-files.ts'

const inLanguage = createRender(lettersFrom(null, 'en'))
const render = (letter: LetterName, given: Record<string, string>) =>
  inLanguage(letter, given, ENGLISH)
const shipped = (code: string) => readLanguage(code, { WORDS_DIR: null })
const LINK = 'https://auth.example.com/reset/1/a-b/?x=1&y=2'
const values = {
  ...{ site: 'example.com', username: 'ada', link: LINK, code: '123456' },
  ...{ browser: 'Firefox', address: '192.0.2.1' },
  ...{ time: '2030-01-01T15:04:05.678Z', date: '2030-01-08' },
}

test.each(LETTER_NAMES)('%s is complete in text and HTML', (letter) => {
  const { subject, text, html } = render(letter, values)
  for (const part of [subject, text, html]) {
    expect(part).not.toMatch(/\{\w+\}|undefined/)
    expect(part).toContain('example.com')
  }
  expect(subject).not.toMatch(/[\r\n]/)
})

test('the link is on a separate line in the text, and escaped in the HTML', () => {
  const { text, html } = render('reset-password', values)
  expect(text.split('\n')).toContain(LINK)
  expect(html).toContain('<a href="https://auth.example.com/reset/1/a-b/?x=1&#38;y=2">')
})

test('a paragraph whose value is missing is left out', () => {
  const { text, html } = render('reset-password', { ...values, username: '' })
  expect(text).not.toContain('username')
  expect(html).not.toContain('username')
})

test('values are text: neither markup, nor templates, nor lines', () => {
  const username = '<b>{link}</b>\r\n\r\nClick \u202ehere\u0000'
  const { text, html } = render('password-changed', { ...values, username })
  expect(text).toContain('Your username is <b>{link}</b> Click here.')
  expect(html).toContain('&#60;b&#62;{link}&#60;/b&#62; Click here')
})

test('the HTML names the language of the letter, where it is known', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-words-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const tagOf = (letter: LetterName) =>
    /<html[^>]*>/.exec(createRender(lettersFrom(folder, 'en'))(letter, values, ENGLISH).html)?.[0]
  const write = (head: string) =>
    writeFile(join(folder, 'reset-password.txt'), `${head}\n\nHier:\n\n{link}\n`)

  await write('Subject: Neues Kennwort\nLanguage: de-AT')
  expect(tagOf('reset-password')).toBe('<html lang="de-AT">')
  expect(tagOf('password-changed')).toBe('<html lang="en">')
  await write('Subject: Neues Kennwort')
  expect(tagOf('reset-password')).toBe('<html>')
  await write('Subject: Neues Kennwort\r\nLanguage: de"><b>')
  expect(() => tagOf('reset-password')).toThrow('reset-password.txt must begin with')
})

test('letters from right to left keep links, codes and names from left to right', () => {
  const farsi = shipped('fa')
  const { subject, text, html } = inLanguage('reset-password', values, farsi)
  expect(html).toContain('<html lang="fa" dir="rtl">')
  expect(html).toContain('<bdi>ada</bdi>')
  expect(html).toContain('<bdi>https://auth.example.com/reset/1/a-b/?x=1&#38;y=2</bdi></a>')
  expect(subject).toContain('\u2068example.com\u2069')
  // Nothing is glued to a link or a code that is copied.
  expect(text.split('\n')).toContain(LINK)
  expect(inLanguage('login-code', values, farsi).text.split('\n')).toContain('123456')
})

test.each([
  ['en', 'It was Firefox on Linux, from the address 192.0.2.1, on 2030-01-01 15:04 UTC.'],
  ['de', 'Firefox auf Linux, Adresse: 192.0.2.1, Zeitpunkt: 1. Januar 2030 um 15:04 UTC.'],
  ['ko', '기기: Linux의 Firefox, IP 주소: 192.0.2.1, 시간: 2030년 1월 1일 15:04 UTC'],
  ['ru', 'Устройство: Firefox, Linux, IP-адрес: 192.0.2.1, время: 1 января 2030 г. в 15:04 UTC.'],
  // The device and the time are Persian: only the names in them run from left to right.
  [
    'fa',
    'دستگاه: \u2068Firefox\u2069 در \u2068Linux\u2069، نشانی IP: \u2068192.0.2.1\u2069، زمان: ۱۲ دی ۱۴۰۸ ساعت ۱۵:۰۴ UTC.',
  ],
])('a device and a time are said in the language of the letter: %s', (code, line) => {
  const said = (browser: string, system: string) =>
    inLanguage('new-device', { ...values, browser, system }, shipped(code))
  const { text, html } = said('Firefox', 'Linux')
  expect(text.replaceAll('\n', ' ')).toContain(line)
  expect(html).toContain(line.replaceAll(/\u2068([\d.]+)\u2069/g, '<bdi>$1</bdi>'))
  const unknown =
    code === 'en' ? 'an unknown program' : shipped(code).words.pages['devices.unknown']
  expect(said('', '').text).toContain(unknown)
})

test.each([
  ['en', '2030-01-08'],
  ['de', 'bis zum 8. Januar 2030'],
  ['cs', 'Platí do 8. ledna 2030.'],
  ['ar', '8 يناير 2030'],
])('a day, too: %s', (code, day) => {
  const { text } = inLanguage('invitation', values, shipped(code))
  expect(text.replaceAll('\n', ' ')).toContain(day)
})

test('lines without spaces are broken, too, but neither names nor before a full stop', () => {
  for (const code of ['ja', 'zh-Hans', 'zh-Hant']) {
    for (const letter of LETTER_NAMES) {
      const { text } = inLanguage(
        letter,
        { ...values, site: 'a-long-name.example.com' },
        shipped(code),
      )
      const lines = text.split('\n').filter((line) => line !== LINK)
      for (const line of lines) {
        expect(line.length, line).toBeLessThanOrEqual(72)
        expect(line).not.toMatch(/^[、。，！？：；」）]/)
      }
      expect(text).toContain('a-long-name.example.com')
    }
  }
})

test('a folder with the name of a language has the letters in that language', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-words-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'de'))
  await writeFile(join(folder, 'reset-password.txt'), 'Subject: Reset\n\nHere: {link}\n')
  await writeFile(join(folder, 'de/reset-password.txt'), 'Subject: Neu\n\nHier: {link}\n')
  const own = createRender(lettersFrom(folder, 'en', ['en', 'de', 'fr']))
  expect(own('reset-password', values, ENGLISH).subject).toBe('Reset')
  expect(own('reset-password', values, shipped('de')).subject).toBe('Neu')
  const { letters } = shipped('fr').words
  const french = letters['reset-password'].subject.replace('{site}', 'example.com')
  expect(own('reset-password', values, shipped('fr')).subject).toBe(french)
})

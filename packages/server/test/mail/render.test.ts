import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRender } from '../../src/mailer/render.ts'
import { english, type LetterName } from '../../src/mailer/words/english.ts'
import { wordsFrom } from '../../src/mailer/words/from-folder.ts'

const render = createRender(english)
const LINK = 'https://auth.example.com/reset/1/a-b/?x=1&y=2'
const values = { site: 'example.com', username: 'ada', link: LINK }

test.each(Object.keys(english) as LetterName[])('%s is complete in text and HTML', (letter) => {
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
    /<html[^>]*>/.exec(createRender(wordsFrom(folder))(letter, values).html)?.[0]
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

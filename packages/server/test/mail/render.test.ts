import { expect, test } from 'vitest'
import { createRender } from '../../src/mailer/render.ts'
import { english, type LetterName } from '../../src/mailer/words/english.ts'

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

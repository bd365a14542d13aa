import type { SendMailOptions } from 'nodemailer'
import type { Mail } from './transport.ts'

/** The mail in the words of nodemailer, which escapes and encodes what goes into the headers. */
export const messageOf = (mail: Mail, from: string): SendMailOptions => ({
  from,
  to: { name: '', address: mail.to },
  subject: mail.subject,
  text: part('text/plain', mail.text),
  html: part('text/html', mail.html),
  messageId: `<${mail.id}@${domainOf(from)}>`,
  date: new Date(mail.postedAt),
  // No answers from holiday robots.
  headers: { 'Auto-Submitted': 'auto-generated' },
  // A value that looks like a path or an address stays text.
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** Longer lines would have to be encoded. */
const PLAIN = /^[\t\n\x20-\x7e]*$/
const LINE_MAX = 900

/**
 * Plain ASCII goes as it is: nodemailer would break a long link over two lines, and though mail
 * programs put it together again, people and scripts that read the file do not.
 */
function part(type: string, content: string) {
  const isPlain = PLAIN.test(content) && content.split('\n').every((l) => l.length <= LINE_MAX)
  if (!isPlain) return content
  const head = `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n`
  return { raw: head + content.replaceAll('\n', '\r\n') }
}

const domainOf = (from: string): string => /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'localhost'

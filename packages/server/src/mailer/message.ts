import { domainToASCII } from 'node:url'
import type { SendMailOptions } from 'nodemailer'
import type { Mail } from './transport.ts'

/** Converts a mail for nodemailer, which escapes and encodes the headers. */
export const composeMessage = (mail: Mail, from: string): SendMailOptions => ({
  from: senderOf(from),
  to: { name: '', address: mail.to },
  subject: mail.subject,
  text: part('text/plain', mail.text),
  html: part('text/html', mail.html),
  messageId: `<${mail.id}@${domainOf(from)}>`,
  date: new Date(mail.postedAt),
  // Tells other servers not to send automatic replies.
  headers: { 'Auto-Submitted': 'auto-generated' },
  // nodemailer must not open a value that looks like a path or a URL.
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** Text that needs no encoding. */
const PLAIN = /^[\t\n\x20-\x7e]*$/
const LINE_MAX = 900

/**
 * Plain ASCII is sent without encoding. Otherwise nodemailer would break a long link into two
 * lines, which mail programs join again, but people and scripts that read the file do not.
 */
function part(type: string, content: string) {
  const isPlain = PLAIN.test(content) && content.split('\n').every((l) => l.length <= LINE_MAX)
  if (!isPlain) return content
  const head = `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n`
  return { raw: head + content.replaceAll('\n', '\r\n') }
}

/** In ASCII, since nodemailer does not encode the domain of a Message-ID. */
const domainOf = (from: string): string =>
  domainToASCII(/@([^\s<>@]+)>?$/.exec(from)?.[1] ?? '') || 'localhost'

/** Name and address are separate, since nodemailer would read a colon in the name as the beginning of a group. */
function senderOf(from: string): { name: string; address: string } {
  const [, name = '', address = from] = /^(.*)<(.*)>$/.exec(from) ?? []
  return { name: unquoted(name.trim()), address }
}

/** A name can be written in quotes, as in a header. nodemailer adds them where they are needed. */
const unquoted = (name: string): string =>
  /^".*"$/.test(name) ? name.slice(1, -1).replace(/\\(.)/g, '$1') : name

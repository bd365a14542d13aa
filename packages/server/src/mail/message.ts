import type { SendMailOptions } from 'nodemailer'
import type { Mail } from './transport.ts'

/** The mail in the words of nodemailer, which escapes and encodes what goes into the headers. */
export const messageOf = (mail: Mail, from: string): SendMailOptions => ({
  from,
  to: { name: '', address: mail.to },
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  messageId: `<${mail.id}@${domainOf(from)}>`,
  date: new Date(mail.postedAt),
  // No answers from holiday robots.
  headers: { 'Auto-Submitted': 'auto-generated' },
  // A value that looks like a path or an address stays text.
  disableFileAccess: true,
  disableUrlAccess: true,
})

const domainOf = (from: string): string => /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'localhost'

import { consoleTransport } from './console.ts'
import { fileTransport } from './file.ts'
import { smtpTransport } from './smtp.ts'
import type { MailTransport } from './transport.ts'

/** Chooses the transport by the scheme of `EMAIL_URL`. */
export function createMailTransport(url: string, from: string): MailTransport {
  if (url.startsWith('file:')) return fileTransport(url, from)
  return url === 'console:' ? consoleTransport(from) : smtpTransport(url, from)
}

import { consoleTransport } from './console.ts'
import { lateTransport } from './late-transport.ts'
import type { MailTransport } from './transport.ts'

/** Chooses the transport by the scheme of `EMAIL_URL`. */
export function createMailTransport(url: string, from: string): MailTransport {
  if (url === 'console:') return consoleTransport(from)
  return lateTransport(async () => {
    if (url.startsWith('file:')) return (await import('./file.ts')).fileTransport(url, from)
    return (await import('./smtp.ts')).smtpTransport(url, from)
  })
}

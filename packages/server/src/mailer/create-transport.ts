import { once } from '../kernel/promises.ts'
import { SENT } from '../kernel/send-result.ts'
import { visibleLines } from '../kernel/texts.ts'
import { type Mail, type Mailbox, type MailTransport, SMTP_DEADLINE } from './transport.ts'

/** Chooses the transport by the scheme of `EMAIL_URL`. */
export function createMailTransport(url: string, from: string, mailbox?: Mailbox): MailTransport {
  if (url === 'console:') return consoleTransport(from, process.stdout, mailbox)
  if (url.startsWith('file:')) {
    return lateTransport(async () => (await import('./file.ts')).fileTransport(url, from))
  }
  const load = async () => (await import('./smtp.ts')).smtpTransport(url, from)
  return { ...lateTransport(load), deadlineMs: SMTP_DEADLINE }
}

/** Loads the transport with the first mail, since the start does not need it. */
function lateTransport(load: () => Promise<MailTransport>): MailTransport {
  const loadOnce = once(load)
  return {
    load: loadOnce,
    send: async (mail) => (await loadOnce()).send(mail),
    close() {
      loadOnce.ifLoaded().then((transport) => transport?.close?.())
    },
  }
}

const KEPT_MAX = 100
const RULE = '-'.repeat(79)

export function createMailbox(): Mailbox {
  const mails: Mail[] = []
  return {
    keep(mail) {
      mails.unshift(mail)
      mails.splice(KEPT_MAX)
    },
    latest: async () => mails,
  }
}

/** For development: prints each mail and keeps the latest ones for the mailbox page. */
export const consoleTransport = (
  from: string,
  output: { write(text: string): unknown },
  mailbox = createMailbox(),
): MailTransport => ({
  async send(mail) {
    output.write(visibleLines(asPrinted(mail, from)))
    mailbox.keep(mail)
    return SENT
  },
  mailbox,
})

const asPrinted = ({ to, subject, text }: Mail, from: string): string =>
  `${RULE}\nFrom: ${from}\nTo: ${to}\nSubject: ${subject}\n\n${text}${RULE}\n`

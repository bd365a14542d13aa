import { visibleLines } from '../kernel/visible.ts'
import { type Mail, type MailTransport, SENT } from './transport.ts'

const KEPT_MAX = 100

/** For development: prints each mail and keeps the latest ones for the mailbox page. */
export function consoleTransport(from: string): MailTransport {
  const latest: Mail[] = []

  return {
    async send(mail) {
      process.stdout.write(visibleLines(asPrinted(mail, from)))
      latest.unshift(mail)
      latest.splice(KEPT_MAX)
      return SENT
    },
    close: () => {},
    kept: () => latest,
  }
}

const RULE = '-'.repeat(79)

const asPrinted = ({ to, subject, text }: Mail, from: string): string =>
  `${RULE}\nFrom: ${from}\nTo: ${to}\nSubject: ${subject}\n\n${text}${RULE}\n`

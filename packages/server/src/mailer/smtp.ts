import { createTransport } from 'nodemailer'
import { SECOND } from '../kernel/clock.ts'
import { isLoopback } from '../kernel/loopback.ts'
import { messageOf } from './message.ts'
import { type Failure, failure, type MailTransport, PARALLEL_SENDS, SENT } from './transport.ts'

const SUBMISSION_PORT = 587
const SUBMISSION_TLS_PORT = 465

/**
 * `smtp://` begins in the clear and changes to TLS when the server offers it, or, with
 * `?requireTLS=true`, refuses to go on without; `smtps://` is TLS from the first byte.
 */
export function smtpTransport(url: string, from: string): MailTransport {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url)
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const pool = createTransport({
    pool: true,
    maxConnections: PARALLEL_SENDS,
    // Repeats are the outbox' business, and it remembers them.
    maxRequeues: 0,
    host,
    port: Number(port) || (secure ? SUBMISSION_TLS_PORT : SUBMISSION_PORT),
    secure,
    requireTLS: searchParams.get('requireTLS') === 'true',
    // Nobody listens in on loopback, and hardly any server there has a real certificate.
    tls: { rejectUnauthorized: !isLoopback(host) },
    ...(username && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    dnsTimeout: 10 * SECOND,
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: 15 * SECOND,
  })

  return {
    async send(mail) {
      try {
        await pool.sendMail(messageOf(mail, from))
        return SENT
      } catch (error) {
        return failureOf(error)
      }
    },
    close: () => pool.close(),
  }
}

/** What it says before it hangs up, whatever the mail. */
const CLOSING = 421

/** Only where the server spoke of this mail, not of itself or of us, need the others not wait. */
function failureOf(error: unknown): Failure {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  const isAboutTheMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (!isAboutTheMail || responseCode < 400 || responseCode === CLOSING) {
    return failure('unreachable', error)
  }
  return failure(responseCode >= 500 ? 'refused' : 'deferred', error)
}

import { createTransport } from 'nodemailer'
import { SECOND } from '../kernel/clock.ts'
import { isLoopback } from '../kernel/loopback.ts'
import { type Failure, failure, SENT } from '../kernel/send-result.ts'
import { composeMessage } from './message.ts'
import { type MailTransport, PARALLEL_SENDS } from './transport.ts'

const SUBMISSION_PORT = 587
const SUBMISSION_TLS_PORT = 465

/**
 * `smtp://` starts without TLS and switches to TLS if the server offers it. With `?requireTLS=true`
 * it refuses to go on without TLS. `smtps://` uses TLS from the first byte.
 */
export function smtpTransport(url: string, from: string): MailTransport {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url)
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const pool = createTransport({
    pool: true,
    maxConnections: PARALLEL_SENDS,
    // The outbox repeats mails and counts the tries.
    maxRequeues: 0,
    host,
    port: Number(port) || (secure ? SUBMISSION_TLS_PORT : SUBMISSION_PORT),
    secure,
    requireTLS: searchParams.get('requireTLS') === 'true',
    // Nobody can eavesdrop on loopback, and few servers there have a valid certificate.
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
        await pool.sendMail(composeMessage(mail, from))
        return SENT
      } catch (error) {
        return failureOf(error)
      }
    },
    close: () => pool.close(),
  }
}

/** The server's reply before it closes the connection. It says nothing about the mail. */
const CLOSING = 421

/**
 * Only a reply about this mail is a failure of this mail alone. A reply about the server or the
 * sender affects all mails.
 */
function failureOf(error: unknown): Failure {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  const isAboutTheMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (!isAboutTheMail || responseCode < 400 || responseCode === CLOSING) {
    return failure('unreachable', error)
  }
  return failure(responseCode >= 500 ? 'refused' : 'deferred', error)
}

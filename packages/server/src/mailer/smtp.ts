import { createTransport } from 'nodemailer'
import { MINUTE, SECOND } from '../kernel/clock.ts'
import { dialledHost, isLoopback } from '../kernel/hosts.ts'
import { withDeadline } from '../kernel/promises.ts'
import { type Failure, failure, SENT } from '../kernel/send-result.ts'
import { composeMessage } from './message.ts'
import { type MailTransport, SMTP_DEADLINE } from './transport.ts'

/** Firewalls silently forget idle connections. A mail on one of them would wait for `socketTimeout`. */
const IDLE_MAX = 15 * SECOND

const SUBMISSION_PORT = 587
const SUBMISSION_TLS_PORT = 465

/**
 * Sends with a few connections, which stay open for the next mails. When a try is given up, its
 * connection is closed. Otherwise it could still deliver the mail, beside the next try.
 */
export function smtpTransport(url: string, from: string): MailTransport {
  const open = connecting(url)
  const busy = new Set<Connection>()
  /** Each with the timer that closes it. */
  const idle = new Map<Connection, NodeJS.Timeout>()
  let isClosed = false

  function take(): Connection {
    const [first] = idle
    if (!first) return open()
    const [connection, end] = first
    clearTimeout(end)
    idle.delete(connection)
    return connection
  }

  function rest(connection: Connection): void {
    const end = () => {
      idle.delete(connection)
      connection.close()
    }
    idle.set(connection, setTimeout(end, IDLE_MAX).unref())
  }

  return {
    async send(mail) {
      if (isClosed) return failure('unreachable', new Error('The service stops.'))
      const connection = take()
      busy.add(connection)
      try {
        await withDeadline(connection.sendMail(composeMessage(mail, from)), SMTP_DEADLINE)
        rest(connection)
        return SENT
      } catch (error) {
        const failed = failureOf(error)
        if (failed.status === 'unreachable') connection.close({ force: true })
        else rest(connection)
        return failed
      } finally {
        busy.delete(connection)
      }
    },
    close() {
      isClosed = true
      for (const connection of [...busy, ...idle.keys()]) connection.close({ force: true })
    },
  }
}

type Connection = ReturnType<ReturnType<typeof connecting>>

/**
 * `smtp://` starts without TLS and switches to TLS if the server offers it. With `?requireTLS=true`
 * it refuses to go on without TLS. `smtps://` uses TLS from the first byte.
 */
function connecting(url: string) {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url)
  const secure = protocol === 'smtps:'
  // Settings have refused a name that no host can have.
  const host = dialledHost(hostname) ?? hostname
  return () =>
    createTransport({
      pool: true,
      maxConnections: 1,
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
      // RFC 5321, 4.5.3.2: a server may take minutes to answer. When it has the whole mail and only
      // its answer is missing, another try would deliver the mail twice.
      socketTimeout: 5 * MINUTE,
    })
}

/** The server's reply before it closes the connection. It says nothing about the mail. */
const CLOSING = 421

type SmtpError = { code?: string; command?: string; responseCode?: number }

/**
 * Only a reply about this mail is a failure of this mail alone. A reply about the server or the
 * sender affects all mails.
 */
function failureOf(error: unknown): Failure {
  const { code, command, responseCode = 0 } = error as SmtpError
  // All mails have the same sender.
  const isAboutTheMail = (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE'
  if (!isAboutTheMail || responseCode < 400 || responseCode === CLOSING) {
    return failure('unreachable', error)
  }
  return failure(responseCode >= 500 ? 'refused' : 'deferred', error)
}

import type { FastifyBaseLogger } from 'fastify'
import type { PasswordHasher } from '../crypto/password-hash/password-hasher.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Mailbox, MailTransport } from '../mailer/transport.ts'
import type { Connection } from '../storage/connect.ts'
import type { HostOptions } from './host/host-options.ts'
import type { FindPlace } from './place.ts'

/** The processes that serve together (`WORKERS`), from the view of one of them. */
export type Team = {
  /** From 1 up. A process that replaces another one has its number. */
  readonly number: number
  readonly size: number
  /** The mails that any of them has printed. */
  readonly mailbox: Mailbox
  /** The metrics of all of them, as `/metrics` shows them. */
  metrics(): Promise<string>
}

/** What the host of the service provides. */
export type ServiceOptions = HostOptions & {
  log: FastifyBaseLogger
  clock?: Clock
  /** False in tests, which deliver mails and events themselves. */
  sendsMail?: boolean
  /** Replaces the hasher of the settings. */
  hasher?: PasswordHasher
  /** Replaces the mail transport of the settings. */
  transport?: MailTransport
  /** How long another party, such as a social provider, has to answer. */
  outboundMs?: number
  /** An open connection, instead of a new one to `DATABASE_URL`. */
  connection?: Connection
  /** Finds the place of the service, if a host names it later. By default the settings do. */
  place?: FindPlace
  /** Finds the path of the admin pages, if a host names it later. */
  adminPath?: () => string
  /** The other processes of this service. */
  team?: Team
}

import type { Mailbox } from '../mailer/transport.ts'

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

import { messageOf } from '../kernel/log.ts'

/** A finished mail. A repeat has the same id, and so the same Message-ID. */
export type Mail = {
  id: string
  to: string
  subject: string
  text: string
  html: string
  postedAt: number
}

/**
 * Why a mail was not sent. `refused`: the server will never accept this mail. `deferred`: it does
 * not accept this mail now. `unreachable`: it would not accept any mail.
 */
export type Failure = { status: 'refused' | 'deferred' | 'unreachable'; reason: string }

export type SendResult = { status: 'sent' } | Failure

export type MailTransport = {
  /** Never throws. */
  send(mail: Mail): Promise<SendResult>
  close(): void
  /** Loads what the first mail needs. Optional: `send` does it, too. */
  load?: () => Promise<unknown>
  /** The latest mails, newest first. Only the development transport keeps them. */
  kept?: () => readonly Mail[]
}

/** How many mails are sent in parallel, and so the most connections to a server. */
export const PARALLEL_SENDS = 5

export const SENT: SendResult = { status: 'sent' }

export const failure = (status: Failure['status'], error: unknown): Failure => ({
  status,
  reason: messageOf(error),
})

/** One finished mail. A repeat has the same id, and so the same Message-ID. */
export type Mail = {
  id: string
  to: string
  subject: string
  text: string
  html: string
  postedAt: number
}

/**
 * Why a mail was not sent: `refused` when the server said that it will never take this one,
 * `deferred` when it does not take this one now, `unreachable` when it would not take any.
 */
export type Failure = { status: 'refused' | 'deferred' | 'unreachable'; reason: string }

export type Outcome = { status: 'sent' } | Failure

export type MailTransport = {
  /** Never throws. */
  send(mail: Mail): Promise<Outcome>
  close(): void
  /** The latest mails, newest first, where they are kept to be read in development. */
  kept?: () => readonly Mail[]
}

/** So many mails are sent at a time; a server gets no more connections than that. */
export const PARALLEL_SENDS = 5

export const SENT: Outcome = { status: 'sent' }

export const failure = (status: Failure['status'], error: unknown): Failure => ({
  status,
  reason: error instanceof Error ? error.message : String(error),
})

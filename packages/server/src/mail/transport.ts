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
 * What became of a mail: `refused` when the server said that it will never take this one,
 * `unreachable` when another try may well succeed.
 */
export type Outcome = { status: 'sent' } | { status: 'refused' | 'unreachable'; reason: string }

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

export const unreachable = (error: unknown): Outcome => ({
  status: 'unreachable',
  reason: error instanceof Error ? error.message : String(error),
})

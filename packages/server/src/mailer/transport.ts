import { MINUTE } from '../kernel/clock.ts'
import type { LetterName } from '../kernel/letter-names.ts'
import type { SendResult } from '../kernel/send-result.ts'

/** A finished mail. A repeat has the same id, and so the same Message-ID. */
export type Mail = {
  id: string
  to: string
  subject: string
  text: string
  html: string
  postedAt: number
  /** What it was made from. */
  letter: { readonly template: LetterName; readonly values: Readonly<Record<string, string>> }
}

/** The latest mails, for the mailbox page. */
export type Mailbox = {
  keep(mail: Mail): void
  /** Newest first. */
  latest(): Promise<readonly Mail[]>
}

export type MailTransport = {
  /** A throw counts as a server that cannot be reached. */
  send(mail: Mail): Promise<SendResult>
  /** Also ends the tries in progress. */
  close?(): void
  /** How long one try may take. 30 seconds if it is missing. */
  deadlineMs?: number
  /** Loads what the first mail needs. Optional, since `send` does it as well. */
  load?: () => Promise<unknown>
  /** Only the development transport keeps mails. */
  mailbox?: Mailbox
}

/** How many mails are sent in parallel, and so the most connections to a server. */
export const PARALLEL_SENDS = 5

/** More than the silence that `smtp.ts` allows, so that a slow server is not given up. */
export const SMTP_DEADLINE = 6 * MINUTE

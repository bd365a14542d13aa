import { SECOND } from '../kernel/clock.ts'
import { withDeadline } from '../kernel/promises.ts'
import { failure, SENT } from '../kernel/send-result.ts'
import type { MailTransport } from './transport.ts'

/** A mail to send. A repeat has the same id. */
export type MailMessage = {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Sends mails instead of `EMAIL_URL`. */
export type MailSender = {
  /**
   * Resolves when the mail is handed over. If it throws or takes longer than 30 seconds, the mail
   * is tried again for a day, with growing pauses.
   */
  send(message: MailMessage): unknown
}

const DEADLINE = 30 * SECOND

/** The transport of the host. The host closes it. */
export const hostTransport = (sender: MailSender, from: string): MailTransport => ({
  async send({ id, to, subject, text, html }) {
    try {
      const sending = async () => sender.send(Object.freeze({ id, from, to, subject, text, html }))
      await withDeadline(sending(), DEADLINE)
      return SENT
    } catch (error) {
      // It may concern only this mail, so the others are still tried.
      return failure('deferred', error)
    }
  },
  // Later than ours, which says that only this mail has failed.
  deadlineMs: DEADLINE + SECOND,
})

import { hostMistakes } from '../core/host/host-mistakes.ts'
import type { MailSender } from '../core/host/plug-points.ts'

/** The sender without its end, since it outlives a service that moves to its place. */
export const lent = (mail: MailSender): MailSender =>
  hostMistakes({ mail }).length > 0 ? mail : { send: (message) => mail.send(message) }

import type { Endpoint } from '../../http/endpoint.ts'
import type { MailTransport } from '../../mail/transport.ts'
import { mailboxEndpoint } from './mailbox-endpoint.ts'

/** The mailbox page exists only where mails are kept. */
export const mailEndpoints = ({ kept }: MailTransport): Endpoint[] =>
  kept ? [mailboxEndpoint(kept)] : []

import type { FastifyRequest } from 'fastify'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { Page, showPage } from '../../http/page.ts'
import { type Html, html } from '../../kernel/html.ts'
import { isLoopback } from '../../kernel/loopback.ts'
import { problem } from '../../kernel/problems.ts'
import type { Mail } from '../../mailer/transport.ts'

/** For development: shows the mails that `console:` printed, so that their links can be opened. */
export const mailboxEndpoint = (kept: () => readonly Mail[]): Endpoint =>
  endpoint({
    method: 'GET',
    path: 'dev/mailbox/',
    operationId: 'showMailbox',
    summary: 'Show the latest mails, only in development and only from this machine',
    access: 'public',
    throttle: 'none',
    documented: false,
    replies: { 200: Page },
    async handle({ request, reply }) {
      if (!isFromThisMachine(request)) throw problem('not_found')
      return showPage(reply, { title: 'Mailbox', body: mailsIn(kept()) })
    },
  })

const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/** Refuses requests through a proxy on this machine, and foreign host names that resolve to it. */
function isFromThisMachine({ raw, headers }: FastifyRequest): boolean {
  if (PROXY_HEADERS.some((name) => name in headers)) return false
  const host = (headers.host ?? '').replace(/:\d+$/, '')
  return isLoopback(raw.socket.remoteAddress ?? '') && isLoopback(host)
}

function mailsIn(mails: readonly Mail[]): Html {
  if (mails.length === 0)
    return html`<p>No mails yet. Mails that the service sends appear here.</p>`
  return html`${mails.map(
    ({ to, subject, text }) => html`<article>
<h2>${subject}</h2>
<p>To ${to}</p>
<pre>${text.split('\n').map(lineOf)}</pre>
</article>`,
  )}`
}

/** Turns a line that is a link into a link. */
const lineOf = (line: string): Html =>
  /^https?:\/\/\S+$/.test(line) ? html`<a href="${line}">${line}</a>\n` : html`${line}\n`

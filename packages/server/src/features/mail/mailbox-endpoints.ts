import type { FastifyRequest } from 'fastify'
import { type Call, type Endpoint, endpoint } from '../../http/endpoint.ts'
import { below } from '../../http/here.ts'
import { Page } from '../../http/page.ts'
import { isLoopback } from '../../kernel/loopback.ts'
import { problem } from '../../kernel/problems.ts'
import type { Mail } from '../../mailer/transport.ts'
import { showHtmlPart, showMailboxPage } from './answer-mailbox-page.ts'
import { listOf, viewOf } from './mailbox-markup.ts'

/** For development: shows the mails that `console:` printed, so that their links can be opened. */
export function mailboxEndpoints(kept: () => readonly Mail[]): Endpoint[] {
  const page = (
    declared: { path: string; operationId: string; summary: string },
    show: (call: Pick<Call, 'params' | 'request' | 'reply'>) => string,
  ) =>
    endpoint({
      ...declared,
      method: 'GET',
      access: 'public',
      throttle: 'none',
      documented: false,
      replies: { 200: Page },
      async handle(call) {
        if (!isFromThisMachine(call.request)) throw problem('not_found')
        return show(call)
      },
    })

  const mailNamed = ({ id }: Record<string, string>): Mail => {
    const mail = kept().find((one) => one.id === id)
    if (!mail) throw problem('not_found')
    return mail
  }

  return [
    page(
      {
        path: 'dev/mailbox/',
        operationId: 'showMailbox',
        summary: 'List the latest mails, only in development and only from this machine',
      },
      ({ request, reply }) =>
        showMailboxPage(reply, {
          title: 'Mailbox',
          body: listOf(kept(), below(request)),
          isLive: true,
        }),
    ),
    page(
      {
        path: 'dev/mailbox/:id/',
        operationId: 'showMail',
        summary: 'Show one of the latest mails',
      },
      ({ params, request, reply }) => {
        const mail = mailNamed(params)
        return showMailboxPage(reply, { title: mail.subject, body: viewOf(mail, below(request)) })
      },
    ),
    page(
      {
        path: 'dev/mailbox/:id/html/',
        operationId: 'showHtmlOfMail',
        summary: 'Show the HTML part of a mail, for the frame of its page',
      },
      ({ params, reply }) => showHtmlPart(reply, mailNamed(params).html),
    ),
  ]
}

const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Refuses requests that come through a proxy on this machine, and foreign host names that resolve to
 * it. Where a proxy is part of the deployment, `hasMailbox` is false already.
 */
function isFromThisMachine({ raw, headers }: FastifyRequest): boolean {
  if (PROXY_HEADERS.some((name) => name in headers)) return false
  const host = (headers.host ?? '').replace(/:\d+$/, '')
  return isLoopback(raw.socket.remoteAddress ?? '') && isLoopback(host)
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { Page, writePage } from '../../http/pages/page.ts'
import type { SitePages } from '../../http/pages/site-page.ts'
import { below } from '../../http/request.ts'
import { html } from '../../kernel/html.ts'
import { isLoopback } from '../../kernel/loopback.ts'
import { problem } from '../../kernel/problems.ts'
import type { Mail } from '../../mailer/transport.ts'
import { MAILBOX_STYLE, mailboxBody } from './mailbox-body.ts'

/** How often the newest mail is looked for. */
const REFRESH_SECONDS = 5

type Kept = () => readonly Mail[]

/** For development: shows the mails that `console:` printed, as their readers see them. */
export function mailboxEndpoints(kept: Kept, { files, theme }: SitePages): Endpoint[] {
  const common = {
    method: 'GET',
    access: 'public',
    throttle: 'none',
    documented: false,
    replies: { 200: Page },
  } as const

  return [
    endpoint({
      ...common,
      path: 'dev/mailbox/',
      operationId: 'showMailbox',
      summary: 'List the latest mails and show the newest, only in development, to this machine',
      async handle({ request, reply }) {
        refuseOthers(request)
        const [newest] = kept()
        return show(reply, { opened: newest, here: below(request), isLive: true })
      },
    }),
    endpoint({
      ...common,
      path: 'dev/mailbox/:id/',
      operationId: 'showMail',
      summary: 'Show one of the latest mails',
      async handle({ params, request, reply }) {
        refuseOthers(request)
        const opened = kept().find(({ id }) => id === params.id)
        if (!opened) throw problem('not_found')
        return show(reply, { opened, here: `${below(request)}../`, isLive: false })
      },
    }),
  ]

  type Shown = { opened: Mail | undefined; here: string; isLive: boolean }

  async function show(reply: FastifyReply, { opened, here, isLive }: Shown): Promise<string> {
    const style = `${theme}${(await files()).style.text}${MAILBOX_STYLE}`
    const refresh = html`<meta http-equiv="refresh" content="${String(REFRESH_SECONDS)}">`
    return writePage(reply, {
      title: opened && !isLive ? `${opened.subject} · Mailbox` : 'Mailbox',
      head: html`<link rel="icon" href="data:,"><style>${{ markup: style }}</style>${isLive ? refresh : []}`,
      // The frame with the HTML of a mail has this policy, too, and mails bring their own styles.
      allows: { 'style-src': "'unsafe-inline'", 'img-src': 'data:' },
      body: mailboxBody({ mails: kept(), opened, here }),
    })
  }
}

const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Refuses requests that come through a proxy on this machine, and foreign host names that resolve to
 * it. Where a proxy is part of the deployment, `hasMailbox` is false already.
 */
function refuseOthers({ raw, headers }: FastifyRequest): void {
  const host = (headers.host ?? '').replace(/:\d+$/, '')
  const isProxied = PROXY_HEADERS.some((name) => name in headers)
  const isLocal = isLoopback(raw.socket.remoteAddress ?? '') && isLoopback(host)
  if (isProxied || !isLocal) throw problem('not_found')
}

import type { FastifyRequest } from 'fastify'
import { type Call, type Endpoint, endpoint } from '../../http/endpoint.ts'
import { hostOf } from '../../http/origins.ts'
import { Page, writePage } from '../../http/pages/page.ts'
import type { SitePages } from '../../http/pages/site-page.ts'
import { below } from '../../http/request.ts'
import { isLoopback } from '../../kernel/hosts.ts'
import { type Html, html } from '../../kernel/html.ts'
import { problem } from '../../kernel/problems.ts'
import type { Mail, Mailbox } from '../../mailer/transport.ts'

/** How often the page looks for a newer mail. */
const REFRESH_SECONDS = 5

/** For development: shows the mails that `console:` printed, as their readers see them. */
export function mailboxEndpoints(mailbox: Mailbox, { files, theme }: SitePages): Endpoint[] {
  const common = {
    method: 'GET',
    access: 'public',
    throttle: 'none',
    documented: false,
    replies: { 200: Page },
    handle: show,
  } as const

  return [
    endpoint({
      ...common,
      path: 'dev/mailbox/',
      operationId: 'showMailbox',
      summary: 'List the latest mails and show the newest, only in development, to this machine',
    }),
    endpoint({
      ...common,
      path: 'dev/mailbox/:id/',
      operationId: 'showMail',
      summary: 'Show one of the latest mails',
    }),
  ]

  async function show({ params: { id }, request, reply }: Call): Promise<string> {
    refuseOthers(request)
    const mails = await mailbox.latest()
    const isLive = id === undefined
    const opened = isLive ? mails[0] : mails.find((mail) => mail.id === id)
    if (!isLive && !opened) throw problem('not_found')
    const here = isLive ? below(request) : `${below(request)}../`
    const style = `${theme}${(await files()).style.text}${MAILBOX_STYLE}`
    const refresh = html`<meta http-equiv="refresh" content="${String(REFRESH_SECONDS)}">`
    return writePage(reply, {
      title: opened && !isLive ? `${opened.subject} · Mailbox` : 'Mailbox',
      head: html`<link rel="icon" href="data:,"><style>${{ markup: style }}</style>${isLive ? refresh : []}`,
      // The frame with the HTML of a mail has this policy, too, and mails bring their own styles.
      allows: { 'style-src': "'unsafe-inline'", 'img-src': 'data:' },
      body: mailboxBody({ mails, opened, here }),
    })
  }
}

const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Refuses requests that come through a proxy on this machine, and foreign host names that resolve to
 * it. Where a proxy is part of the deployment, `hasMailbox` is false already.
 */
function refuseOthers({ raw, headers }: FastifyRequest): void {
  const host = hostOf(headers).replace(/:\d+$/, '')
  const isProxied = PROXY_HEADERS.some((name) => name in headers)
  const isLocal = isLoopback(raw.socket.remoteAddress ?? '') && isLoopback(host)
  if (isProxied || !isLocal) throw problem('not_found')
}

/** In addition to the stylesheet of the hosted pages. */
const MAILBOX_STYLE = `
.mailbox.mailbox { max-width: 76rem; margin-block: clamp(1rem, 4vh, 2.5rem) 0 }
.mailbox h1 a { color: inherit; text-decoration: none }
.mailbox .hint:has(time) { display: flex; flex-wrap: wrap; column-gap: 1rem; overflow-wrap: anywhere }
.mailbox ol { margin: 0; padding: 0; list-style: none; background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden }
.mailbox li + li { border-top: 1px solid var(--line) }
.mailbox li { padding: .8rem 1rem; font-size: .9375rem }
.mailbox li > a { color: inherit; text-decoration: none; font-weight: 600; overflow-wrap: anywhere }
.mailbox li > a:hover { text-decoration: underline }
.mailbox li:has([aria-current]) { background: color-mix(in srgb, var(--card), var(--text) 6%) }
.mailbox .link { white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.mailbox article { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; align-content: start }
/* Where there is no room beside it, the mail comes first. */
.mailbox nav { order: 1 }
.mailbox iframe { inline-size: 100%; block-size: 26rem; background: #fff; color-scheme: light; border: 1px solid var(--line); border-radius: var(--radius) }
.mailbox pre { margin: 0; padding: 1.25rem; white-space: pre-wrap; overflow-wrap: anywhere; font: .9375rem/1.6 ui-monospace, monospace; background: var(--card); border: 1px solid var(--line); border-radius: var(--radius) }
.mailbox .empty { padding: 3rem 1.25rem; text-align: center }
@media (min-width: 60rem) { .mailbox nav { order: 0 } .mailbox.filled { grid-template-columns: 22rem minmax(0, 1fr); align-items: start } .mailbox h1 { grid-column: 1 / -1 } }
`

type Opened = {
  /** The newest first. */
  mails: readonly Mail[]
  opened: Mail | undefined
  /** The path of the list, relative to the page. */
  here: string
}

/** All mails with their links on one side, and one mail on the other, as HTML and as text. */
function mailboxBody({ mails, opened, here }: Opened): Html {
  if (!opened) {
    return html`<div id="app"><main class="wide mailbox">
<h1>Mailbox</h1>
<div class="empty">
<p><strong>No mails yet</strong></p>
<p class="hint">Mails that the service sends appear here by themselves.</p>
</div>
</main></div>`
  }
  return html`<div id="app"><main class="wide mailbox filled">
<h1><a href="${here}">Mailbox</a></h1>
<nav aria-label="Mails"><ol>${mails.map((mail) => entryOf(mail, mail === opened, here))}</ol></nav>
${viewOf(opened)}
</main></div>`
}

const entryOf = (mail: Mail, isOpened: boolean, here: string): Html => html`<li>
<a href="${here}${mail.id}/"${isOpened ? html` aria-current="true"` : []}>${mail.subject}</a>
<p class="hint">${factsOf(mail)}</p>
${linksIn(mail).map((link) => html`<p class="link"><a href="${link}">${link}</a></p>`)}
</li>
`

const viewOf = (mail: Mail): Html => html`<article aria-labelledby="subject">
<h2 id="subject">${mail.subject}</h2>
<p class="hint">${factsOf(mail)}</p>
<iframe title="The mail as HTML" srcdoc="${framed(mail.html)}" sandbox="allow-top-navigation-by-user-activation"></iframe>
<h3>As plain text</h3>
<pre>${mail.text.split('\n').map(lineOf)}</pre>
</article>`

const factsOf = ({ to, postedAt }: Mail): Html => {
  const time = new Date(postedAt)
  return html`To ${to} <time datetime="${time.toISOString()}">${shown(time)}</time>`
}

/** The time of this machine, where the reader sits. */
const shown = (time: Date): string => time.toLocaleString('sv-SE')

/**
 * The deployment may write the HTML of its mails. In the frame it runs no script, fetches nothing and
 * belongs to no site. Its links open in the tab.
 */
function framed(markup: string): string {
  const head = /<head[^>]*>/i.exec(markup)
  const at = head ? head.index + head[0].length : 0
  return `${markup.slice(0, at)}<base target="_top">${markup.slice(at)}`
}

/** In every mail, each link has its own line. */
const LINK = /^https?:\/\/\S+$/

const linksIn = ({ text }: Mail): string[] => text.split('\n').filter((line) => LINK.test(line))

const lineOf = (line: string): Html =>
  LINK.test(line) ? html`<a href="${line}">${line}</a>\n` : html`${line}\n`

import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../kernel/html.ts'

/** The colours and the type of the hosted pages (`packages/ui/src/style.css`). */
const STYLE = `
:root { color-scheme: light dark; --page: #f4f5f7; --card: #fff; --text: #1d2129; --muted: #5b6472; --line: #d8dce3; --link: #3350c9; font: 1.0625rem/1.55 system-ui, sans-serif }
@media (prefers-color-scheme: dark) { :root { --page: #121419; --card: #1b1d23; --text: #e8eaee; --muted: #a3abb8; --line: #31353f; --link: #91a7ff } }
*, ::before, ::after { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text) }
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; max-width: 46rem; margin: 0 auto; padding: clamp(1.5rem, 7vh, 4.5rem) 1rem 3rem }
h1, h2, p { margin: 0; overflow-wrap: break-word }
h1 { font-size: 1.625rem; line-height: 1.25; letter-spacing: -.015em; font-weight: 680 }
h2 { font-size: 1.0625rem; font-weight: 650 }
a { color: var(--link); text-underline-offset: .18em }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: .25rem }
.hint { color: var(--muted); font-size: .9375rem }
ol { list-style: none; margin: 0; padding: 0 }
ol, .empty, pre, iframe { background: var(--card); border: 1px solid var(--line); border-radius: 1.125rem }
li { display: grid; grid-template-columns: minmax(0, 1fr); gap: .25rem; padding: 1rem 1.25rem }
li + li { border-top: 1px solid var(--line) }
li h2 a { color: inherit; text-decoration: none }
li h2 a:hover { text-decoration: underline }
.link { font-size: .9375rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.empty { padding: 3rem 1.25rem; text-align: center }
iframe { width: 100%; height: 23rem; background: #fff; color-scheme: light }
pre { margin: 0; padding: 1.25rem; white-space: pre-wrap; overflow-wrap: anywhere; font: .9375rem/1.6 ui-monospace, monospace }
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** No scripts, nothing from other sites, and no frame but the one with the HTML of a mail. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** How often the list looks for new mails. */
const REFRESH_SECONDS = 5

type MailboxPage = { title: string; body: Html; isLive?: boolean }

export function showMailboxPage(
  reply: FastifyReply,
  { title, body, isLive = false }: MailboxPage,
): string {
  reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': POLICY,
    'cross-origin-opener-policy': 'same-origin',
  })
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${isLive ? html`<meta http-equiv="refresh" content="${String(REFRESH_SECONDS)}">` : []}
<style>${{ markup: STYLE }}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.markup
}

/**
 * The texts of the deployment may bring markup of their own. It runs no script, fetches nothing,
 * belongs to no site, and is shown in the frame of our own page only.
 */
const PART_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-top-navigation-by-user-activation',
].join('; ')

/** Links leave the frame. */
const TARGET = '<base target="_top">'

export function showHtmlPart(reply: FastifyReply, markup: string): string {
  reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': PART_POLICY,
    'x-frame-options': 'SAMEORIGIN',
  })
  const head = /<head[^>]*>/i.exec(markup)
  const at = head ? head.index + head[0].length : 0
  return markup.slice(0, at) + TARGET + markup.slice(at)
}

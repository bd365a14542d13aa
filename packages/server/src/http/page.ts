import { createHash } from 'node:crypto'
import { type TSchema, Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { type Html, html } from '../kernel/html.ts'

/** The answer of an endpoint that shows a page. */
export const Page = Type.String({ $id: 'Page', contentMediaType: 'text/html' })

/** The answer of an endpoint that shows a page to browsers and answers scripts in JSON. */
export const pageOr = <T extends TSchema>(answer: T) => Type.Union([Page, answer])

export type PageContent = { title: string; body: Html; status?: number }

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 26rem; margin: 12vh auto; padding: 0 1rem }
h1 { font-size: 1.4rem }
label { display: block; margin: 1rem 0 .25rem }
input, button { box-sizing: border-box; width: 100%; padding: .6rem; font: inherit }
button { margin-top: 1.25rem; cursor: pointer }
.error { color: #b3261e; margin: .25rem 0 }
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** No scripts, no pictures, nothing from other sites. Forms go back to our own site. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Makes a plain page that works without scripts. A handler returns it. */
export function showPage(reply: FastifyReply, { title, body, status = 200 }: PageContent): string {
  reply.status(status).type('text/html; charset=utf-8').headers({
    'Content-Security-Policy': POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
  })
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`.markup
}

import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { below } from '../../http/here.ts'
import { Page } from '../../http/page.ts'
import { type Html, html } from '../../kernel/html.ts'
import type { Settings } from '../../settings/settings.ts'
import type { ApiPage } from './built-api-page.ts'

/** The viewer runs our own files, talks to our own site, and has its pictures in its style. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Told = Pick<Settings, 'SITE_NAME' | 'CSRF_COOKIE_NAME'>

export const docsEndpoint = (files: () => Promise<ApiPage>, settings: Told): Endpoint =>
  endpoint({
    method: 'GET',
    path: 'docs/',
    operationId: 'showDocs',
    summary: 'The API on a page, to read and to try',
    access: 'public',
    throttle: 'none',
    documented: false,
    replies: { 200: Page },
    async handle({ request, reply }) {
      reply.type('text/html; charset=utf-8').headers({
        'content-security-policy': POLICY,
        'cross-origin-opener-policy': 'same-origin',
      })
      return pageOf(await files(), settings, below(request)).markup
    },
  })

const pageOf = (
  { scripts, styles }: ApiPage,
  { SITE_NAME, CSRF_COOKIE_NAME }: Told,
  here: string,
): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>API · ${SITE_NAME}</title>
<link rel="icon" href="data:,">
${styles.map((name) => html`<link rel="stylesheet" href="${here}assets/${name}">\n`)}
</head>
<body>
<header><h1>${SITE_NAME} API</h1><a href="${here}../openapi.json">openapi.json</a></header>
<main id="api"><noscript><p>This page needs scripts. The API is described in
<a href="${here}../openapi.json">openapi.json</a>, too.</p></noscript></main>
${scripts.map((name) => html`<script src="${here}assets/${name}" data-csrf-cookie="${CSRF_COOKIE_NAME}"></script>\n`)}
</body>
</html>
`

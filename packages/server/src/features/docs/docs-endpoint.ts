import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { Page, writePage } from '../../http/pages/page.ts'
import { below } from '../../http/request.ts'
import { html } from '../../kernel/html.ts'
import type { Settings } from '../../settings/settings.ts'
import type { ApiPage } from './built-api-page.ts'

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
    handle: async ({ request, reply }) =>
      writePage(reply, pageOf(await files(), settings, below(request))),
  })

const pageOf = (
  { scripts, styles }: ApiPage,
  { SITE_NAME, CSRF_COOKIE_NAME }: Told,
  here: string,
) => ({
  title: `API · ${SITE_NAME}`,
  // The viewer runs our own files, talks to our own site, and has its pictures in its style.
  allows: {
    'script-src': "'self'",
    'style-src': "'self'",
    'connect-src': "'self'",
    'img-src': "'self' data:",
  },
  head: html`<link rel="icon" href="data:,">
${styles.map((name) => html`<link rel="stylesheet" href="${here}assets/${name}">\n`)}`,
  body: html`<header><h1>${SITE_NAME} API</h1><a href="${here}../openapi.json">openapi.json</a></header>
<main id="api"><noscript><p>This page needs scripts. The API is described in
<a href="${here}../openapi.json">openapi.json</a>, too.</p></noscript></main>
${scripts.map((name) => html`<script src="${here}assets/${name}" data-csrf-cookie="${CSRF_COOKIE_NAME}"></script>\n`)}`,
})

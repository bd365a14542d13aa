import { readFile } from 'node:fs/promises'
import { BUILT_API_PAGE } from '../../built-pages.ts'
import { assetsEndpoint } from '../../http/assets-endpoint.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { Page, writePage } from '../../http/pages/page.ts'
import { below } from '../../http/request.ts'
import { type Assets, readAssets } from '../../kernel/asset-files.ts'
import { html } from '../../kernel/html.ts'
import { once } from '../../kernel/promises.ts'
import type { Settings } from '../../settings/settings.ts'
import { feature } from '../feature.ts'

/** The page that shows the API and sends requests to it. */
export const docsFeature = feature(({ settings }) => {
  if (!settings.API_DOCS) return {}
  const page = createApiPage()
  return {
    endpoints: [
      docsEndpoint(page, settings),
      assetsEndpoint({
        path: 'docs/assets/',
        operationId: 'showDocsAsset',
        assets: async () => (await page()).assets,
      }),
    ],
  }
})

type Told = Pick<Settings, 'SITE_NAME' | 'CSRF_COOKIE_NAME'>

const docsEndpoint = (files: () => Promise<ApiPage>, settings: Told): Endpoint =>
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
  // The viewer's files and requests are same-origin, and its pictures are data in its style sheet.
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

/** The files that `build/api-page.js` has built. */
type ApiPage = {
  /** In the order in which the page loads them. */
  scripts: readonly string[]
  styles: readonly string[]
  assets: Assets
}

/**
 * Reads the files at the first visit, since most services never get one, and they take 2.5 MB of memory.
 * A first visit while an upgrade in place replaces them fails.
 */
const createApiPage = (): (() => Promise<ApiPage>) =>
  once(async () => {
    const manifest = await readFile(new URL('manifest.json', BUILT_API_PAGE), 'utf8')
    const { scripts, styles } = JSON.parse(manifest)
    return { scripts, styles, assets: await readAssets(new URL('assets/', BUILT_API_PAGE)) }
  })

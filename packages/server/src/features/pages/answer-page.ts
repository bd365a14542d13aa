import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Origins } from '../../http/origins.ts'
import { type Html, html } from '../../kernel/html.ts'
import type { Settings } from '../../settings/settings.ts'
import type { BuiltFiles } from './built-files.ts'
import type { Facts } from './facts.ts'
import { chooseLanguage, DEFAULT_LANGUAGE } from './language.ts'
import { themeOf } from './theme.ts'
import { createWords, type Words } from './words.ts'

export type PageContent = {
  /** A key of the words. */
  title: string
  /** What visitors see without scripts. */
  body: (words: Words) => Html
  status?: number
  /** What the script needs to know about this page; none if the page needs no script. */
  script?: object
}

type Needs = {
  settings: Pick<Settings, 'SITE_NAME' | 'SITE_COLOR' | 'PAGES_PREFIX'>
  files: () => Promise<BuiltFiles>
  facts: Facts
  origins: Origins
}

export type ShowPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  content: PageContent,
) => Promise<string>

/** Pages load nothing from elsewhere, and run no script but our own file. */
export function createShowPage({ settings, files, facts, origins }: Needs): ShowPage {
  const { SITE_NAME: site, PAGES_PREFIX: prefix } = settings
  const theme = themeOf(settings.SITE_COLOR)
  const themeHash = createHash('sha256').update(theme).digest('base64')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${themeHash}'`,
    "connect-src 'self'",
    // The QR code and the icon are in the page itself.
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

  return async (request, reply, { title, body, status = 200, script }) => {
    const { script: entry, style, words: all } = await files()
    const language = chooseLanguage(request.headers['accept-language'] ?? '', [...all.keys()])
    const words = all.get(language) ?? all.get(DEFAULT_LANGUAGE) ?? createWords({})
    reply.status(status).type('text/html; charset=utf-8').headers({
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
      vary: 'Accept-Language',
    })
    const told = { ...facts, ...script, next: origins.nextOf(request), words: words.all }
    return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${words.say(title)} · ${site}</title>
<link rel="icon" href="${iconOf(settings.SITE_COLOR)}">
<style>${{ markup: theme }}</style>
<link rel="stylesheet" href="${prefix}${style}">
${script ? html`<script type="module" src="${prefix}${entry}"></script>` : []}
</head>
<body>
<div id="app">
<header class="brand"><a href="${prefix}">${site}</a></header>
<main>
<h1>${words.say(title)}</h1>
${body(words)}
</main>
</div>
${script ? html`<script type="application/json" id="facts">${asJson(told)}</script>` : []}
</body>
</html>
`.markup
  }
}

/** Cannot end the element that it stands in. */
const asJson = (value: object): Html => ({
  markup: JSON.stringify(value).replaceAll('<', '\\u003c'),
})

/** A key hole in the colour of the site. */
const iconOf = (color: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${color}"/><path fill="#fff" d="M16 7a5 5 0 0 0-2.500 9.300L12 25h8l-1.500-8.700A5 5 0 0 0 16 7"/></svg>`,
  )}`

import { createHash } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../kernel/html.ts'
import { directionOf } from '../../kernel/words/direction.ts'

/** The answer of an endpoint that shows a page. */
export const Page = Type.String({ $id: 'Page', contentMediaType: 'text/html' })

/** The answer of an endpoint that shows a page to browsers and answers scripts in JSON. */
export const pageOr = <T extends TSchema>(answer: T) => Type.Union([Page, answer])

/** What a page may do besides showing text, by the names of the policy. */
export type Allowed = Partial<
  Record<
    | 'script-src'
    | 'style-src'
    | 'style-src-attr'
    | 'connect-src'
    | 'img-src'
    | 'frame-src'
    | 'form-action',
    string
  >
>

type Parts = {
  title: string
  body: Html
  status?: number
  language?: string
  /** A style in the page itself. The policy allows it by its hash. */
  style?: string
  head?: Html
  allows?: Allowed
}

/**
 * Writes a page, which a handler returns. All pages of the service are written here. None runs an
 * inline script or can be framed, and none loads anything from elsewhere except the widget of a
 * captcha (`captcha-widget.ts`).
 */
export function writePage(reply: FastifyReply, page: Parts): string {
  const { title, body, status = 200, language = 'en', style, head = [], allows = {} } = page
  reply
    .status(status)
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': policyOf(allows, style),
      'cross-origin-opener-policy': 'same-origin',
    })
  return html`<!doctype html>
<html lang="${language}"${directionOf(language) === 'rtl' ? html` dir="rtl"` : []}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${style === undefined ? [] : html`<style>${{ markup: style }}</style>`}
${head}
</head>
<body>
${body}
</body>
</html>
`.markup
}

function policyOf(allows: Allowed, style: string | undefined): string {
  const hash = style === undefined ? [] : [`'sha256-${sha256(style)}'`]
  const styles = [allows['style-src'] ?? [], hash].flat().join(' ')
  const directives = {
    'default-src': "'none'",
    ...allows,
    ...(styles && { 'style-src': styles }),
    'form-action': allows['form-action'] ?? "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  }
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ')
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

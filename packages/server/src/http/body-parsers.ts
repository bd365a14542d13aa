import type { FastifyBodyParser, FastifyInstance } from 'fastify'
import { isObject } from '../kernel/json-object.ts'
import { problem } from '../kernel/problems.ts'
import { BODY_LIMIT, decodeText, refuseExcess } from './body-limits.ts'
import { formBody, withSource } from './body-values.ts'
import { parseMultipart } from './multipart.ts'
import { parsedByHost } from './parsed-body.ts'

/**
 * Every endpoint accepts JSON, forms and multipart forms (their text fields). An empty body is
 * `{}`. Our limits apply, even if the host allows more.
 */
export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parsers = [
    ['application/json', parseJson],
    ['application/x-www-form-urlencoded', parseForm],
    ['multipart/form-data', parseMultipart],
    ['*', refuseUnknown],
  ] as const
  for (const [type, parse] of parsers) {
    // Uses the callback, because a promise would cost more.
    const read: FastifyBodyParser<Buffer> = (request, body, done) => {
      try {
        if (body.length > BODY_LIMIT) throw problem('body_too_large')
        const given = parsedByHost(request)
        if (body.length === 0 && !given) return done(null, {})
        const contentType = withKnownCharset(request.headers['content-type'] ?? '')
        if (given && parse !== refuseUnknown) return done(null, given.value)
        done(null, parse(body, contentType))
      } catch (error) {
        done(error as Error)
      }
    }
    app.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, read)
  }
}

function withKnownCharset(contentType: string): string {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]
  if (charset === undefined || /^utf-?8$/i.test(charset)) return contentType
  throw problem('unsupported_media_type', { type: contentType })
}

function refuseUnknown(_body: Buffer, contentType: string): never {
  throw problem('unsupported_media_type', { type: contentType })
}

function parseJson(body: Buffer): unknown {
  const text = decodeText(body, 'JSON')
  const value = refuseExcess(readJson(text))
  // A refusal names the type. To Python `1.0` is a float, to JavaScript a whole number.
  if (typeof value === 'number' && /[.e]/i.test(text)) return Number.NaN
  return isObject(value) ? withSource(value, text) : value
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw problem('malformed_body', { kind: 'JSON', reason: withoutSnippet(error) })
  }
}

/** The message of the engine quotes the body, which may contain a password. */
function withoutSnippet(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return message.split(/, (?:\.\.\.)?"/)[0] || 'the body cannot be read'
}

function parseForm(body: Buffer): unknown {
  return formBody([...new URLSearchParams(decodeText(body, 'Form'))])
}

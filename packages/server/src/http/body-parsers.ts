import { isUtf8 } from 'node:buffer'
import type { FastifyBodyParser, FastifyInstance } from 'fastify'
import { isObject } from '../kernel/json-object.ts'
import { problem } from '../kernel/problems.ts'
import { BODY_LIMIT, refuseExcess } from './body-limits.ts'
import { formBody, withSource } from './body-values.ts'
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
    // Uses the callback, because nearly all bodies are parsed synchronously, and promises would
    // cost more.
    const read: FastifyBodyParser<Buffer<ArrayBuffer>> = (request, body, done) => {
      try {
        if (body.length > BODY_LIMIT) throw problem('body_too_large')
        const contentType = withKnownCharset(request.headers['content-type'] ?? '')
        const given = parsedByHost(request)
        if (body.length === 0 && !given) return done(null, {})
        if (given && parse !== refuseUnknown) return done(null, given.value)
        const parsed = parse(body, contentType)
        if (parsed instanceof Promise) parsed.then((value) => done(null, value), done)
        else done(null, parsed)
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

function decode(body: Buffer, kind: 'JSON' | 'Form'): string {
  if (isUtf8(body)) return body.toString('utf8')
  throw problem('malformed_body', { kind, reason: 'the body is not valid UTF-8' })
}

function parseJson(body: Buffer): unknown {
  const text = decode(body, 'JSON')
  const value = refuseExcess(readJson(text))
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
  return formBody([...new URLSearchParams(decode(body, 'Form'))])
}

/** Stands for an uploaded file. No text field accepts it. */
const A_FILE = Object.freeze({})

/**
 * Uses the parser of the platform. The body is complete and small, so there is nothing to stream.
 */
async function parseMultipart(body: Buffer<ArrayBuffer>, contentType: string): Promise<unknown> {
  if (filesIn(body) > FILES_MAX) throw malformedMultipart('the body has too many files')
  try {
    const form = await new Response(body, { headers: { 'Content-Type': contentType } }).formData()
    return formBody([...form].map(([name, value]) => [name, isText(value) ? value : A_FILE]))
  } catch {
    throw malformedMultipart('the body is not a valid multipart form')
  }
}

const malformedMultipart = (reason: string) =>
  problem('malformed_body', { kind: 'Multipart form', reason })

/** As in Django. The platform takes ten times as long for an empty file as for an empty text. */
const FILES_MAX = 100

/** Counts too many rather than too few: a text may look like the head of a file. */
const filesIn = (body: Buffer): number =>
  body.toString('latin1').match(/;\s*filename/gi)?.length ?? 0

const isText = (value: unknown): value is string => typeof value === 'string'

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { preParsingAsyncHookHandler, RequestPayload } from 'fastify'
import { isObject } from '../kernel/json-object.ts'

const FORM = 'application/x-www-form-urlencoded'
const IS_FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i

/**
 * If a parser of the host has read the body, it is written down again, so that our own parsers and
 * limits see it. Nothing else of the request changes.
 */
export const replayBody: preParsingAsyncHookHandler = async (request, _reply, payload) => {
  const { raw } = request
  if (!raw.readableDidRead && !raw.readableEnded) return payload
  const type = request.headers['content-type'] ?? ''
  const { body } = raw as IncomingMessage & { body?: unknown }
  const isParsed = typeof body === 'object' && body !== null && !Buffer.isBuffer(body)
  const isForm = isParsed && IS_FORM.test(type)
  const bytes = isForm ? formBytes(body) : bytesOf(body, raw)
  request.headers = {
    ...(isForm && { 'content-type': FORM }),
    'content-length': String(bytes.length),
  }
  return Readable.from([bytes], { objectMode: false }) as RequestPayload
}

function bytesOf(body: unknown, raw: IncomingMessage): Buffer {
  if (Buffer.isBuffer(body)) return body
  if (typeof body === 'string') return Buffer.from(body)
  if (body !== undefined) return Buffer.from(JSON.stringify(body, withoutBigInts))
  if (!raw.readableDidRead) return Buffer.alloc(0)
  throw new Error(
    'The body of the request was read before it came to Latchkey, and request.body is not set.',
  )
}

/** Some parsers keep long numbers as they are. A field takes a number as its text. */
const withoutBigInts = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value

/** As the form was written: `tags=a&tags=b`, and `a[b]=1` where the parser has made objects. */
function formBytes(body: object): Buffer {
  const form = new URLSearchParams()
  const add = (name: string, value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) add(name, one)
    else if (isObject(value)) addAll(value, (key) => `${name}[${key}]`)
    else form.append(name, String(value ?? ''))
  }
  const addAll = (values: object, nameOf: (key: string) => string): void => {
    for (const [key, value] of Object.entries(values)) add(nameOf(key), value)
  }
  addAll(body, (key) => key)
  return Buffer.from(form.toString())
}

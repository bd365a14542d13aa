import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { types } from 'node:util'
import type { FastifyRequest, preParsingHookHandler, RequestPayload } from 'fastify'
import { isObject } from '../kernel/json-object.ts'
import { problem } from '../kernel/problems.ts'
import { BODY_LIMIT, refuseExcess } from './body-limits.ts'
import { formBody } from './body-values.ts'

const PARSED = Symbol('parsed body')
type Raw = IncomingMessage & { body?: unknown; [PARSED]?: { value: unknown } }

/**
 * The host may have read the body before us. If it has not parsed the body, our own parsers do. If
 * it has, we use the same value that its own checks have seen.
 */
export const takeBodyOfHost: preParsingHookHandler = (request, _reply, payload, done) => {
  const raw: Raw = request.raw
  const isUnread = !raw.readableDidRead && !raw.readableEnded
  // A hook of the host may have replaced the stream.
  if (isUnread || (payload ?? raw) !== raw) return done(null, payload)
  if (Number(request.headers['content-length']) > BODY_LIMIT) throw problem('body_too_large')
  const bytes = unparsed(raw.body, request.headers)
  if (bytes === null) raw[PARSED] = { value: raw.body }
  else if (!bytes && raw.readableDidRead) throw new Error(TAKEN_AWAY)
  const left = bytes || Buffer.alloc(0)
  request.headers = { 'content-length': String(left.length) }
  done(null, Readable.from([left], { objectMode: false }) as RequestPayload)
}

const TAKEN_AWAY =
  'The body of the request was read before it came to Latchkey, and request.body is not set.'

/** Returns null if the host has parsed the body, and undefined if there is none. */
function unparsed(body: unknown, headers: IncomingHttpHeaders): Buffer | null | undefined {
  if (body === undefined) return undefined
  if (types.isUint8Array(body)) return Buffer.from(body)
  if (typeof body !== 'string') return null
  const bytes = Buffer.from(body)
  // A text can be the body itself, or the result of JSON.parse, which is always shorter.
  const isWhole = headers['content-length'] === String(bytes.length) && !headers['content-encoding']
  return isWhole || !isJson(headers) ? bytes : null
}

/** The body that the host has parsed, in the form that our own parsers return. */
export function parsedByHost({ raw, headers }: FastifyRequest): { value: unknown } | undefined {
  const parsed = (raw as Raw)[PARSED]
  if (!parsed) return undefined
  const isForm = !isJson(headers)
  const value = plainCopy(refuseExcess(parsed.value, isForm ? 'Form' : 'JSON'))
  if (!isObject(value)) return { value }
  return { value: isForm ? formBody(formValues(value)) : value }
}

const isJson = ({ 'content-type': type = '' }: IncomingHttpHeaders): boolean =>
  /^application\/json\s*(;|$)/i.test(type)

/** The value as JSON would have it. Parsers of hosts also produce dates and long numbers. */
function plainCopy(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plainCopy)
  if (value instanceof Date) return value.toJSON()
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainCopy(one)]))
}

/** The fields as the form had them: `tags=a&tags=b`, and `a[b]=1` where the parser made objects. */
function formValues(fields: object): [name: string, value: unknown][] {
  const valuesOf = (name: string, value: unknown): [string, unknown][] => {
    if (Array.isArray(value)) return value.flatMap((one) => valuesOf(name, one))
    if (!isObject(value)) return [[name, String(value ?? '')]]
    return Object.entries(value).flatMap(([key, one]) => valuesOf(`${name}[${key}]`, one))
  }
  return Object.entries(fields).flatMap(([name, value]) => valuesOf(name, value))
}

import { Fault, type Problem, problem } from '../kernel/problems.ts'
import type { Settings } from '../settings/settings.ts'
import type { Documented } from './endpoint.ts'
import { errorBody } from './error-handler.ts'
import { type Refusals, refusalsOf } from './refusals.ts'

type Status = {
  meaning: string
  /** Its name among the components, if endpoints share the response. */
  name?: string
  header?: keyof typeof sharedHeaders
}

export const STATUSES: Readonly<Record<number, Status>> = {
  400: { meaning: 'Something is wrong with the request' },
  401: {
    meaning: 'No credential, or an invalid one',
    name: 'NotAuthenticated',
    header: 'WWW-Authenticate',
  },
  403: {
    meaning:
      'The request may come from another site, or its credential is not fresh or may not do this',
    name: 'Forbidden',
  },
  404: { meaning: 'It does not exist, or it belongs to somebody else', name: 'NotFound' },
  405: { meaning: 'The path does not support this method', header: 'Allow' },
  408: { meaning: 'The request did not arrive in time' },
  413: { meaning: 'The body is too large', name: 'BodyTooLarge' },
  415: { meaning: 'The body is neither JSON nor a form', name: 'UnsupportedMediaType' },
  429: { meaning: 'Too many requests', name: 'Throttled', header: 'Retry-After' },
  431: { meaning: 'The headers are too large' },
  500: { meaning: 'An error of the service', name: 'InternalError' },
  503: {
    meaning: 'Something that the service needs is not available',
    name: 'Unavailable',
    header: 'Retry-After',
  },
}

/** The refusals of an endpoint by status, each with its exact body as an example. */
export function refusalResponses(endpoint: Documented, settings: Settings): Record<string, object> {
  const byStatus: Record<number, Refusals> = {}
  for (const [name, refusal] of Object.entries(refusalsOf(endpoint, settings))) {
    byStatus[refusal.status] = { ...byStatus[refusal.status], [name]: refusal }
  }
  const { pages = {} } = endpoint
  const statuses = new Set([...Object.keys(byStatus), ...Object.keys(pages)].map(Number))
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      response(status, settings, byStatus[status], pages[status]),
    ]),
  )
}

/** Refusals that happen before an operation is found. They appear only among the components. */
export const unhandled = (settings: Settings) => ({
  MethodNotAllowed: response(405, settings, {
    method_not_allowed: problem('method_not_allowed', { method: 'TRACE' }),
  }),
  RequestTimeout: response(408, settings, { request_timeout: problem('request_timeout') }),
  HeadersTooLarge: response(431, settings, { headers_too_large: problem('headers_too_large') }),
})

function response(status: number, settings: Settings, refusals: Refusals = {}, page?: string) {
  const { meaning, header } = STATUSES[status] ?? { meaning: 'Refused' }
  const hasJson = Object.keys(refusals).length > 0
  return {
    description: page ?? meaning,
    ...(header && { headers: { [header]: { $ref: `#/components/headers/${header}` } } }),
    content: {
      ...(page && { 'text/html': { schema: reference('Page') } }),
      ...(hasJson && { 'application/json': jsonContent(status, refusals, settings) }),
    },
  }
}

function jsonContent(status: number, refusals: Refusals, settings: Settings) {
  const entries = Object.entries(refusals)
  const [first, ...others] = [...new Set(entries.map(([, refusal]) => schemaOf(refusal)))]
  const schemas = [first ?? 'Refused', ...others].map(reference)
  const schema = others.length > 0 ? { anyOf: schemas } : schemas[0]
  const { ERRORS_UNDER: under } = settings.REST_FRAMEWORK
  const examples = entries.map(([name, refusal]) => [name, { value: errorBody(refusal, settings) }])
  return {
    schema:
      under !== null && status < 500
        ? { type: 'object', properties: { [under]: schema }, required: [under] }
        : schema,
    examples: Object.fromEntries(examples),
  }
}

function reference(name: string) {
  return { $ref: `#/components/schemas/${name}` } as const
}

function schemaOf({ body }: Problem): keyof ReturnType<typeof problemSchemas> {
  if (!(body.detail instanceof Fault)) return 'FieldErrors'
  if ('messages' in body) return 'AccessTokenRefused'
  return 'code' in body ? 'RefusedWithCode' : 'Refused'
}

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const
const codes = reference('ErrorCodes')

export const problemSchemas = ({ REST_FRAMEWORK }: Settings) => ({
  ErrorCodes: {
    type: 'object',
    description:
      'The codes of all texts beside it, under the same keys. Present with `ERROR_CODES`, or if the request has the header `X-Error-Codes: 1`.',
    additionalProperties: texts,
  },
  Refused: { type: 'object', properties: { detail: text, codes }, required: ['detail'] },
  RefusedWithCode: {
    type: 'object',
    properties: { detail: text, code: text, codes },
    required: ['detail', 'code'],
  },
  AccessTokenRefused: {
    type: 'object',
    properties: {
      detail: text,
      code: text,
      messages: {
        type: 'array',
        items: {
          type: 'object',
          properties: { token_class: text, token_type: text, message: text },
          required: ['token_class', 'token_type', 'message'],
        },
      },
      codes,
    },
    required: ['detail', 'code', 'messages'],
  },
  FieldErrors: {
    type: 'object',
    description: `All wrong fields at once. Errors that do not belong to one field are under ${REST_FRAMEWORK.NON_FIELD_ERRORS_KEY}.`,
    properties: { [REST_FRAMEWORK.NON_FIELD_ERRORS_KEY]: texts, codes },
    additionalProperties: texts,
  },
})

export const sharedHeaders = {
  'WWW-Authenticate': {
    description: 'How to authenticate',
    required: true,
    schema: text,
  },
  'Retry-After': {
    description: 'The number of seconds after which to try again',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  Allow: { description: 'The methods that the path supports', required: true, schema: text },
}

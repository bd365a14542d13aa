import type { Settings } from '../settings.ts'
import { VERSION } from '../version.ts'
import type { Endpoint } from './endpoint.ts'
import type { Fields } from './fields.ts'

/** The OpenAPI document of the service, made from the endpoints themselves. */
export function describeEndpoints(all: readonly Endpoint[], settings: Settings) {
  const endpoints = all.filter(({ documented = true }) => documented)
  const schemes = securitySchemes(settings)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Latchkey',
      version: VERSION,
      description: 'Accounts for web and mobile front ends, in the wire format of dj-rest-auth.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${settings.PUBLIC_URL}${settings.AUTH_PREFIX}` }],
    security: Object.keys(schemes).map((name) => ({ [name]: [] })),
    paths: groupByPath(endpoints),
    components: {
      schemas: { ...namedSchemas(endpoints), ...problemSchemas },
      securitySchemes: schemes,
    },
  }
}

function groupByPath(endpoints: readonly Endpoint[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = `/${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return paths
}

function operation(endpoint: Endpoint) {
  const {
    method,
    operationId,
    summary,
    access,
    path,
    body,
    replies,
    refusals = {},
    throttle,
  } = endpoint
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  return {
    operationId,
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(access !== 'signed-in' && { security: [] }),
    ...(body && method !== 'GET' && { requestBody: requestBody(body) }),
    responses: {
      ...Object.fromEntries(Object.entries(replies).map(([status, s]) => [status, success(s)])),
      ...(body && { 400: failure('What is wrong with the request', 'FieldErrors') }),
      ...(access === 'signed-in' && { 401: failure('No credential, or a bad one', 'Detail') }),
      ...Object.fromEntries(
        Object.entries(refusals).map(([status, meaning]) => [status, failure(meaning, 'Detail')]),
      ),
      ...(throttle !== 'none' && { 429: failure('Too many requests; see Retry-After', 'Detail') }),
    },
  }
}

function requestBody(fields: Fields) {
  const entries = Object.entries(fields)
  const required = entries.filter(([, field]) => !field.optional).map(([name]) => name)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, field.schema])),
    ...(required.length > 0 && { required }),
  }
  const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
  return {
    required: required.length > 0,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  }
}

type Schema = Endpoint['replies'][number]

function success(schema: Schema) {
  if (!schema) return { description: 'Done; no body' }
  const type: string = schema.contentMediaType ?? 'application/json'
  return { description: 'Done', content: { [type]: { schema: reference(schema) } } }
}

const failure = (description: string, name: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
})

const reference = (schema: NonNullable<Schema>) =>
  schema.$id ? { $ref: `#/components/schemas/${schema.$id}` } : schema

/** Schemas that carry a name stand once, among the components. */
function namedSchemas(endpoints: readonly Endpoint[]) {
  const schemas = endpoints.flatMap((endpoint) => Object.values(endpoint.replies))
  const named = schemas.flatMap((schema) => (schema?.$id ? [schema] : []))
  return Object.fromEntries(named.map(({ $id, ...schema }) => [$id, schema]))
}

const problemSchemas = {
  FieldErrors: {
    type: 'object',
    description: 'All bad fields at once; what is tied to none stands under non_field_errors.',
    additionalProperties: { type: 'array', items: { type: 'string' } },
  },
}

function securitySchemes(settings: Settings) {
  const { TOKEN_MODEL, SESSION_LOGIN, USE_JWT, JWT_AUTH_COOKIE } = settings.REST_AUTH
  return {
    ...(TOKEN_MODEL && {
      token: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: '`Token <key>`, with the key of the login answer',
      },
    }),
    ...(USE_JWT && { jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } }),
    ...(USE_JWT &&
      JWT_AUTH_COOKIE && { jwtCookie: { type: 'apiKey', in: 'cookie', name: JWT_AUTH_COOKIE } }),
    ...(SESSION_LOGIN && {
      session: { type: 'apiKey', in: 'cookie', name: settings.SESSION_COOKIE_NAME },
    }),
  }
}

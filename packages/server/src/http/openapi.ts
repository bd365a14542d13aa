import type { Place } from '../core/place.ts'
import { authenticationClasses } from '../settings/authentication-classes.ts'
import type { Settings } from '../settings/settings.ts'
import { VERSION } from '../version.ts'
import type { Documented } from './endpoint.ts'
import type { Fields } from './fields.ts'
import { exampleBody } from './openapi-examples.ts'
import { problemSchemas, refusalResponses, sharedHeaders, unhandled } from './openapi-refusals.ts'
import {
  namedSchemas,
  type Operation,
  type PathItems,
  shareResponses,
  successResponse,
} from './openapi-responses.ts'

/** Makes the OpenAPI document from the endpoints themselves. */
export function describeEndpoints(
  all: readonly Documented[],
  settings: Settings,
  { base, AUTH_PREFIX }: Pick<Place, 'base' | 'AUTH_PREFIX'> = { ...settings, base: '' },
) {
  const endpoints = all.filter(({ documented = true, alias }) => documented && !alias)
  const schemes = securitySchemes(settings)
  const { paths, responses } = shareResponses(
    groupByPath(endpoints, settings, furtherPaths(all, base)),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Latchkey',
      version: VERSION,
      description:
        'Accounts for web and mobile front ends, in the wire format of dj-rest-auth. With the request header `X-Error-Codes: 1`, every error also has `codes`, for programs: the words may be in another language.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${settings.PUBLIC_URL}${AUTH_PREFIX}` }],
    tags: tagsOf(endpoints),
    security: Object.keys(schemes).map((name) => ({ [name]: [] })),
    paths,
    components: {
      schemas: { ...namedSchemas(endpoints), ...problemSchemas(settings) },
      headers: sharedHeaders,
      responses: { ...responses, ...unhandled(settings) },
      securitySchemes: schemes,
    },
  }
}

const tagsOf = (endpoints: readonly Documented[]) =>
  [...new Set(endpoints.flatMap(({ tag }) => tag ?? []))].map((name) => ({ name }))

function furtherPaths(all: readonly Documented[], base: string): Map<string, string[]> {
  const paths = new Map<string, string[]>()
  for (const { alias } of all) {
    if (alias) paths.set(alias.of, [...(paths.get(alias.of) ?? []), `${base}${alias.fullPath}`])
  }
  return paths
}

function groupByPath(
  endpoints: readonly Documented[],
  settings: Settings,
  further: Map<string, string[]>,
): PathItems {
  const paths: PathItems = {}
  for (const endpoint of endpoints) {
    const path = `/${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
    const aliases = further.get(endpoint.operationId)
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: {
        ...operation(endpoint, settings),
        ...(aliases && { 'x-aliases': aliases }),
      },
    }
  }
  return paths
}

function operation(endpoint: Documented, settings: Settings): Operation {
  const { method, operationId, summary, access, path, query = {}, body, replies, tag } = endpoint
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(query).map(([name, { optional, schema }]) => ({
    name,
    in: 'query',
    required: !optional,
    schema,
  }))
  const parameters = [...inPath, ...inQuery]
  return {
    operationId,
    summary,
    ...(tag && { tags: [tag] }),
    ...(parameters.length > 0 && { parameters }),
    ...(access !== 'signed-in' && { security: [] }),
    ...(body && method !== 'GET' && { requestBody: requestBody(endpoint, body) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(replies).map(([status, schema]) => [status, successResponse(schema)]),
      ),
      ...refusalResponses(endpoint, settings),
    },
  }
}

function requestBody({ usualFields }: Documented, fields: Fields) {
  const entries = Object.entries(fields)
  const required = entries.filter(([, field]) => !field.optional).map(([name]) => name)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, field.schema])),
    ...(required.length > 0 && { required }),
  }
  return {
    required: required.length > 0,
    content: {
      'application/json': { schema, example: exampleBody(fields, usualFields) },
      'application/x-www-form-urlencoded': { schema },
      'multipart/form-data': { schema },
    },
  }
}

/** OpenAPI has a scheme only for `Bearer`. */
function jwtScheme([word]: readonly string[]) {
  if (word?.toLowerCase() === 'bearer') {
    return { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }
  }
  const description = `\`${word} <access>\`, with the access token of the login answer`
  return { type: 'apiKey', in: 'header', name: 'Authorization', description }
}

function securitySchemes(settings: Settings) {
  const { JWT_AUTH_COOKIE } = settings.REST_AUTH
  const classes = authenticationClasses(settings)
  const hasJwt = classes.includes('jwt')
  return {
    ...(classes.includes('token') && {
      token: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: '`Token <key>`, with the key from the login answer',
      },
    }),
    ...(hasJwt && { jwt: jwtScheme(settings.SIMPLE_JWT.AUTH_HEADER_TYPES) }),
    ...(hasJwt &&
      JWT_AUTH_COOKIE && { jwtCookie: { type: 'apiKey', in: 'cookie', name: JWT_AUTH_COOKIE } }),
    ...(classes.includes('session') && {
      session: { type: 'apiKey', in: 'cookie', name: settings.SESSION_COOKIE_NAME },
    }),
  }
}

type Admin = {
  /** As the admin API sees them. */
  readonly settings: Settings
  readonly endpoints: readonly Documented[]
  /** Where the admin pages are, with slashes at both ends. */
  path(): string
}

export function describeAdmin({ settings, endpoints, path }: Admin) {
  const document = describeEndpoints(endpoints, settings, {
    base: '',
    AUTH_PREFIX: `${path()}api/`,
  })
  const { securitySchemes } = document.components
  const schemes = {
    adminKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'An admin key, as `latchkey admin-key create` shows it once',
    },
    ...securitySchemes,
  }
  return {
    ...document,
    info: {
      ...document.info,
      title: 'Latchkey administration',
      description: 'What operators can do. The API has a listener of its own.',
    },
    security: Object.keys(schemes).map((name) => ({ [name]: [] })),
    components: { ...document.components, securitySchemes: schemes },
  }
}

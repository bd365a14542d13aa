import {
  AUTHORIZATIONS,
  CONTENT_TYPES,
  COOKIES,
  HEADERS,
  METHODS,
  SEGMENTS,
  WIRES,
} from './requests.js'
import { BODIES, TEXTS, VALUES } from './values.js'

/** Beside what the documents name. */
const OTHER_PATHS = [
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/account/',
  '/account/login/',
  '/admin/',
  '/__test/users',
]

const QUERIES = ['limit', 'after', 'q', 'format', 'since', 'state', 'sort', 'x']

/** The endpoints of an OpenAPI document: `{ method, path, fields }`, paths below the origin. */
export function endpointsOf(document) {
  const prefix = new URL(document.servers[0].url).pathname.replace(/\/$/, '')
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path: `${prefix}${path}`,
      fields: requestBody?.content['application/json']?.schema.properties ?? {},
    })),
  )
}

/**
 * Makes one malformed request after another, the same ones for the same seed. Most of them are right in all but
 * one or two places, so that they get past the first guard. `credentials` are headers that are good.
 */
export function createGenerator(random, endpoints, credentials) {
  const { pick, chance, below } = random

  const exampleOf = (name, schema) => {
    if (schema.examples) return schema.examples[0]
    if (schema.format === 'email') return `user${below(50)}@example.com`
    if (schema.type === 'string')
      return name.includes('password') ? 'Nn-5566-yy-lantern' : `user${below(50)}`
    return schema.type === 'array' ? [] : schema.type === 'boolean' ? true : {}
  }

  function bodyFor(fields) {
    const names = Object.keys(fields)
    const body = Object.fromEntries(names.map((name) => [name, exampleOf(name, fields[name])]))
    for (let spoiled = 1 + below(2); spoiled > 0 && names.length > 0; spoiled--) {
      body[pick(names)] = chance(0.6) ? pick(TEXTS) : pick(VALUES)
    }
    if (names.length > 0 && chance(0.15)) delete body[pick(names)]
    if (chance(0.1)) body[pick(TEXTS).slice(0, 200)] = pick(VALUES)
    return body
  }

  function encode(body) {
    const kind = below(10)
    if (kind === 0) return { body: pick(BODIES), type: pick(CONTENT_TYPES) }
    if (kind === 1) return { body: JSON.stringify(body), type: pick(CONTENT_TYPES) }
    if (kind === 2) {
      const texts = Object.entries(body).map(([name, value]) => [
        name,
        String(JSON.stringify(value)),
      ])
      return {
        body: new URLSearchParams(texts).toString(),
        type: 'application/x-www-form-urlencoded',
      }
    }
    return { body: JSON.stringify(body), type: 'application/json' }
  }

  function pathOf(path) {
    const filled = path.replace(/\{\w+\}/g, () =>
      chance(0.5) ? String(1 + below(40)) : pick(SEGMENTS),
    )
    const spelled = (chance(0.1) && filled.replace(/\/$/, '')) || filled
    if (chance(0.05)) return `${spelled}${pick(SEGMENTS)}/`
    if (chance(0.8)) return spelled
    const value = encodeURIComponent(pick(TEXTS).slice(0, 500).toWellFormed())
    return `${spelled}?${pick(QUERIES)}=${value}`
  }

  return function next() {
    if (chance(0.04)) return { wire: pick(WIRES) }
    const isOther = chance(0.04)
    const { method, path, fields } = isOther
      ? { method: 'GET', path: pick(OTHER_PATHS), fields: {} }
      : pick(endpoints)
    const headers = {}
    if (chance(0.7)) Object.assign(headers, pick(credentials))
    else if (chance(0.5)) headers.authorization = pick(AUTHORIZATIONS)
    if (chance(0.15)) headers.cookie = pick(COOKIES)
    if (chance(0.2)) Object.assign(headers, pick(HEADERS))
    const used = chance(0.05) ? pick(METHODS) : method
    const request = { method: used, path: pathOf(path), headers }
    if (used === 'GET' || used === 'HEAD' || used === 'TRACE') return request
    const { body, type } = encode(bodyFor(fields))
    return { ...request, body, headers: { 'content-type': type, ...headers } }
  }
}

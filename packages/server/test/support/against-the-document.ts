import { expect } from 'vitest'
import type { Documented } from '../../src/http/endpoint.ts'
import { describeEndpoints } from '../../src/http/openapi.ts'
import { EXAMPLE_WORDS } from '../../src/kernel/refuse.ts'
import { english } from '../../src/kernel/words/english.ts'
import { formsOf, placeholdersIn } from '../../src/kernel/words/text.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { fits } from './json-schema.ts'

type Answer = { method: string; url: string; status: number; type: unknown; body: unknown }
type Content = { schema?: Schema; examples?: Record<string, { value: unknown }> }
type Schema = Record<string, unknown>
type Response = { $ref?: string; content?: Record<string, Content> }

export type DocumentCheck = (answer: Answer) => void

/**
 * Compares every answer of every test with the OpenAPI document: its status is listed for the
 * operation, and so is its type and every text of a refusal; its body fits the schema. So all tests
 * together check the document. Only the operations that a test calls are described, since the whole
 * document takes longer than most tests, and once for all services with the same `key`.
 */
export function createDocumentCheck(
  endpoints: readonly Documented[],
  settings: Settings,
  key: string,
): DocumentCheck {
  const documented = endpoints.filter(({ documented = true, alias }) => documented && !alias)
  const prefix = settings.AUTH_PREFIX

  return ({ method, url, status, type, body }) => {
    const path = url.split('?')[0] ?? ''
    if (!path.startsWith(prefix)) return
    const bare = withoutSlash(path.slice(prefix.length))
    const endpoint = documented.find((each) => each.method === method && isAt(each.path, bare))
    if (!endpoint) return
    const name = `${method} ${endpoint.path} ${key}`
    const { responses, schemas } = described.get(name) ?? describe(endpoint, settings)
    described.set(name, { responses, schemas })

    // Worded only for a failure: all tests together get tens of thousands of answers.
    const fail = (which: string): never =>
      expect.fail(`${method} ${path} answered ${status} ${JSON.stringify(body)}${which}`)
    const listed = responses[status] ?? fail(', a status that the document does not list')
    if (body === undefined) return
    const content =
      listed[String(type).split(';')[0] ?? ''] ??
      fail(` as ${type}, which the document does not list`)
    if (!fits(content.schema, body, schemas)) {
      fail(`, which does not fit ${JSON.stringify(content.schema)}`)
    }
    if (status < 400 || typeof body === 'string') return

    content.known ??= new Set(content.examples.flatMap(textsIn).map(shapeOf))
    const { known } = content
    // The host may say anything, and the document says so.
    if (status === 400 && known.has(EXAMPLE_WORDS)) return
    // The document has the English words.
    if (settings.LANGUAGES.join() !== 'en') return
    for (const text of textsIn(body)) {
      if (!known.has(shapeOf(text))) fail(`: "${text}", which the endpoint does not name`)
    }
  }
}

const withoutSlash = (path: string) => path.replace(/\/$/, '')

const patterns = new Map<string, RegExp>()

function isAt(path: string, asked: string): boolean {
  const known = patterns.get(path)
  if (known) return known.test(asked)
  patterns.set(path, new RegExp(`^${withoutSlash(path).replace(/:\w+/g, '[^/]+')}$`))
  return isAt(path, asked)
}

/** The schema of a body, the bodies that are given as examples, and the texts in them once needed. */
type DescribedContent = { schema: Schema; examples: unknown[]; known?: Set<string> }
/** By status and type. */
type Responses = Record<string, Record<string, DescribedContent>>
type Described = { responses: Responses; schemas: Record<string, Schema> }

const described = new Map<string, Described>()

function describe(endpoint: Documented, settings: Settings): Described {
  const { paths, components } = describeEndpoints([endpoint], settings)
  const shared = components.responses as Record<string, Response>
  const contentOf = (given: Response) => {
    const { content = {} } = given.$ref ? (shared[given.$ref.split('/').at(-1) ?? ''] ?? {}) : given
    return Object.fromEntries(
      Object.entries(content).map(([type, { schema = {}, examples = {} }]) => [
        type,
        { schema, examples: Object.values(examples).map(({ value }) => value) },
      ]),
    )
  }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const responses = Object.fromEntries(
    operations.flatMap((one) =>
      Object.entries(one.responses).map(([status, response]) => [status, contentOf(response)]),
    ),
  )
  // Through JSON, as it is published.
  return JSON.parse(JSON.stringify({ responses, schemas: components.schemas }))
}

/** The texts of a refusal: its detail, its code and its faults. */
function textsIn(body: unknown): string[] {
  if (typeof body === 'string') return [body]
  if (typeof body !== 'object' || body === null) return []
  const { codes: _, ...said } = body as Record<string, unknown>
  return Object.values(said).flatMap(textsIn)
}

/** The same for all texts that differ only in their parameters. */
function shapeOf(text: string): string {
  const plural = text.replace(/ 1 second\.$/, ' 1 seconds.')
  return SHAPES.find((shape) => shape.test(plural))?.source ?? text
}

const SHAPES = Object.values(english.answers)
  .map((text) => formsOf(text).at(-1) ?? '')
  .filter((text) => placeholdersIn(text).length > 0)
  .map((text) => {
    const parts = text.split(/\{\w+\}/).map((part) => part.replace(/[^\w\s]/g, '\\$&'))
    return new RegExp(`^${parts.join('.*')}$`, 's')
  })

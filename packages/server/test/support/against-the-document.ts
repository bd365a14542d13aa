import { expect } from 'vitest'
import type { Auth } from '../../src/create-auth.ts'
import { describeEndpoints } from '../../src/http/openapi.ts'
import { problems } from '../../src/kernel/problem-table.ts'

type Answer = { method: string; url: string; status: number; type: unknown; body: unknown }
type Content = { example?: unknown; examples?: Record<string, { value: unknown }> }
type Response = { $ref?: string; content?: Record<string, Content> }

export type DocumentCheck = (answer: Answer) => void

/**
 * Compares every answer of every test with the OpenAPI document: its status is listed for the
 * operation, and so is its type and every text of a refusal. So all tests together check the document.
 */
export function createDocumentCheck({ endpoints, settings }: Auth): DocumentCheck {
  let operations: ReturnType<typeof readOperations> | undefined
  const prefix = settings.AUTH_PREFIX

  return ({ method, url, status, type, body }) => {
    const path = url.split('?')[0] ?? ''
    if (!path.startsWith(prefix)) return
    operations ??= readOperations(describeEndpoints(endpoints, settings))
    const bare = path.slice(prefix.length - 1).replace(/\/$/, '')
    const operation = operations.find((each) => each.method === method && each.path.test(bare))
    if (!operation) return

    const what = `${method} ${path} answered ${status} ${JSON.stringify(body)}`
    const listed = operation.responses[status]
    expect(listed, `${what}, a status that the document does not list`).toBeDefined()
    if (body === undefined || !listed) return
    const content = listed[String(type).split(';')[0] ?? '']
    expect(content, `${what} as ${type}, which the document does not list`).toBeDefined()
    if (status < 400 || typeof body === 'string' || !content) return

    const known = new Set(content.flatMap(textsIn).map(shapeOf))
    for (const text of textsIn(body)) {
      expect(known, `${what}, which the endpoint does not name`).toContain(shapeOf(text))
    }
  }
}

function readOperations(document: ReturnType<typeof describeEndpoints>) {
  const shared = document.components.responses as Record<string, Response>
  const examplesIn = (given: Response) => {
    const { content = {} } = given.$ref ? (shared[given.$ref.split('/').at(-1) ?? ''] ?? {}) : given
    return Object.fromEntries(
      Object.entries(content).map(([type, { examples = {} }]) => [
        type,
        Object.values(examples).map(({ value }) => value),
      ]),
    )
  }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replace(/\/$/, '').replace(/\{\w+\}/g, '[^/]+')}$`),
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [status, examplesIn(response)]),
      ),
    })),
  )
}

/** The texts of a refusal: its detail, its code and its faults. */
function textsIn(body: unknown): string[] {
  if (typeof body === 'string') return [body]
  if (typeof body !== 'object' || body === null) return []
  return Object.values(body).flatMap(textsIn)
}

/** The same for all texts that differ only in their parameters. */
function shapeOf(text: string): string {
  const plural = text.replace(/ 1 second\.$/, ' 1 seconds.')
  return SHAPES.find((shape) => shape.test(plural))?.source ?? text
}

const ANYTHING = '\u{F0000}'

const SHAPES = Object.values(problems).flatMap(({ text }) => {
  if (typeof text === 'string') return []
  const filled = (text as (params: unknown) => string)(new Proxy({}, { get: () => ANYTHING }))
  const parts = filled.split(ANYTHING).map((part) => part.replace(/[^\w\s]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's')
})

import type { TSchema } from '@sinclair/typebox'
import type { Documented } from './endpoint.ts'
import { exampleOf } from './openapi-examples.ts'
import { STATUSES } from './openapi-refusals.ts'

export function successResponse(schema: TSchema | null) {
  if (!schema) return { description: 'Done; no body' }
  return { description: 'Done', content: Object.fromEntries(byType(schema).map(contentOf)) }
}

/** A page and its JSON alternative are two contents. Any other union is one. */
function byType(schema: TSchema): TSchema[] {
  const shapes: TSchema[] = schema.anyOf ?? []
  return shapes.some(({ contentMediaType }) => contentMediaType) ? shapes : [schema]
}

function contentOf(schema: TSchema): [string, object] {
  const type: string = schema.contentMediaType ?? 'application/json'
  const isJson = type === 'application/json'
  return [type, { schema: reference(schema), ...(isJson && examples(schema)) }]
}

/** One example for each shape of the answer. */
function examples(schema: TSchema) {
  const shapes: TSchema[] | undefined = schema.anyOf
  if (!shapes) return { example: exampleOf(schema) }
  const named = shapes.map((shape) => [Object.keys(shape.properties)[0], shape] as const)
  return {
    examples: Object.fromEntries(named.map(([name, shape]) => [name, { value: exampleOf(shape) }])),
  }
}

const reference = (schema: TSchema): object =>
  schema.$id ? { $ref: `#/components/schemas/${schema.$id}` } : withReferences(schema)

/** Refers to named schemas in lists, members and alternatives. */
function withReferences(schema: TSchema): object {
  const { items, properties, anyOf } = schema
  return {
    ...schema,
    ...(items && { items: reference(items) }),
    ...(properties && { properties: mapValues(properties, reference) }),
    ...(anyOf && { anyOf: anyOf.map(reference) }),
  }
}

/**
 * Named schemas are defined once, among the components. Examples are removed, since they belong to
 * one use.
 */
export function namedSchemas(endpoints: readonly Documented[]) {
  const schemas = endpoints.flatMap((endpoint) => Object.values(endpoint.replies))
  const shapes = schemas.flatMap((schema) => (schema ? byType(schema) : []))
  const named = shapes.flatMap(within).filter(({ $id }) => $id)
  return Object.fromEntries(
    named.map(({ $id, examples: _, ...schema }: TSchema) => [
      $id,
      withReferences(schema as TSchema),
    ]),
  )
}

/** The schema, and all schemas in it. */
function within(schema: TSchema): TSchema[] {
  const { items, properties = {}, anyOf = [] } = schema
  const parts: TSchema[] = [
    ...(items ? [items] : []),
    ...Object.values<TSchema>(properties),
    ...anyOf,
  ]
  return [schema, ...parts.flatMap(within)]
}

export type Operation = { responses: Record<string, object>; [key: string]: unknown }
/** By path, then by method in lower case. */
export type PathItems = Record<string, Record<string, Operation>>

/** Moves the most frequent response of each status to the components, and refers to it. */
export function shareResponses(paths: PathItems): {
  paths: PathItems
  responses: Record<string, object>
} {
  const responses: Record<string, object> = {}
  const nameOf = new Map<string, string>()
  for (const [status, { name }] of Object.entries(STATUSES)) {
    const ofStatus = operationsIn(paths).flatMap(({ responses }) => responses[status] ?? [])
    const usual = mostFrequent(ofStatus)
    if (!name || !usual) continue
    responses[name] = usual
    nameOf.set(JSON.stringify(usual), name)
  }

  const shared = mapValues(paths, (operations) =>
    mapValues(operations, (operation) => ({
      ...operation,
      responses: mapValues(operation.responses, (response) => {
        const name = nameOf.get(JSON.stringify(response))
        return name ? { $ref: `#/components/responses/${name}` } : response
      }),
    })),
  )
  return { paths: shared, responses }
}

const operationsIn = (paths: PathItems) =>
  Object.values(paths).flatMap((each) => Object.values(each))

function mostFrequent(responses: readonly object[]): object | undefined {
  const alike = new Map<string, object[]>()
  for (const response of responses) {
    const text = JSON.stringify(response)
    alike.set(text, [...(alike.get(text) ?? []), response])
  }
  return [...alike.values()].toSorted((a, b) => b.length - a.length)[0]?.[0]
}

const mapValues = <T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

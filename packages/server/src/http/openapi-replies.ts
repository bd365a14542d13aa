import type { TSchema } from '@sinclair/typebox'
import type { Endpoint } from './endpoint.ts'
import { exampleOf } from './openapi-examples.ts'

export function successResponse(schema: TSchema | null) {
  if (!schema) return { description: 'Done; no body' }
  return { description: 'Done', content: Object.fromEntries(byType(schema).map(contentOf)) }
}

/** A page and what scripts get instead are two contents; other unions are one. */
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

const reference = (schema: TSchema) =>
  schema.$id ? { $ref: `#/components/schemas/${schema.$id}` } : withReferences(schema)

/** A list of a named schema. */
const withReferences = (schema: TSchema): object =>
  schema.items?.$id ? { ...schema, items: reference(schema.items) } : schema

/**
 * Named schemas stand once, among the components. Examples are removed, since they belong to one
 * use.
 */
export function namedSchemas(endpoints: readonly Endpoint[]) {
  const schemas = endpoints.flatMap((endpoint) => Object.values(endpoint.replies))
  const shapes = schemas.flatMap((schema) => (schema ? byType(schema) : []))
  const all = shapes.flatMap((schema) => [schema, schema.items ?? []].flat())
  const named = all.filter((schema: TSchema) => schema.$id)
  return Object.fromEntries(named.map(({ $id, examples: _, ...schema }: TSchema) => [$id, schema]))
}

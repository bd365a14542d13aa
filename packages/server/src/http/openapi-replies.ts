import type { TSchema } from '@sinclair/typebox'
import type { Endpoint } from './endpoint.ts'
import { exampleOf } from './openapi-examples.ts'

export function successResponse(schema: TSchema | null) {
  if (!schema) return { description: 'Done; no body' }
  const type: string = schema.contentMediaType ?? 'application/json'
  const content = {
    schema: reference(schema),
    ...(type === 'application/json' && examples(schema)),
  }
  return { description: 'Done', content: { [type]: content } }
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
  const all = schemas.flatMap((schema) => (schema ? [schema, schema.items ?? []] : [])).flat()
  const named = all.filter((schema: TSchema) => schema.$id)
  return Object.fromEntries(named.map(({ $id, examples: _, ...schema }: TSchema) => [$id, schema]))
}

import { isObject } from '../../src/kernel/json-object.ts'

type Schema = Record<string, unknown>
type Schemas = Readonly<Record<string, Schema>>
type Check = (rule: never, value: never, schema: Schema, schemas: Schemas) => boolean

/** Words that say something about a value and rule nothing out. */
const SAYS = ['title', 'description', 'examples', 'example', 'default', 'contentMediaType']

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** The words of JSON Schema that the document uses. */
const WORDS: Record<string, Check> = {
  $ref: (ref: string, value, _, schemas) =>
    fits(schemas[ref.split('/').at(-1) ?? ''] ?? unknownWord(ref), value, schemas),
  anyOf: (choices: Schema[], value, _, schemas) =>
    choices.some((choice) => fits(choice, value, schemas)),
  oneOf: (choices: Schema[], value, _, schemas) =>
    choices.filter((choice) => fits(choice, value, schemas)).length === 1,
  type: (type: string | string[], value) => [type].flat().some((one) => isOf(one, value)),
  const: (constant: unknown, value) => value === constant,
  enum: (values: unknown[], value) => values.includes(value),
  format: (format: string, value: unknown) =>
    typeof value !== 'string' || format !== 'date-time' || DATE_TIME.test(value),
  pattern: (pattern: string, value: unknown) =>
    typeof value !== 'string' || new RegExp(pattern, 'u').test(value),
  minLength: (least: number, value: unknown) => typeof value !== 'string' || value.length >= least,
  maxLength: (most: number, value: unknown) => typeof value !== 'string' || value.length <= most,
  minItems: (least: number, value: unknown) => !Array.isArray(value) || value.length >= least,
  maxItems: (most: number, value: unknown) => !Array.isArray(value) || value.length <= most,
  minimum: (least: number, value: unknown) => typeof value !== 'number' || value >= least,
  maximum: (most: number, value: unknown) => typeof value !== 'number' || value <= most,
  required: (names: string[], value: unknown) =>
    !isObject(value) || names.every((name) => Object.hasOwn(value, name)),
  items: (item: Schema, value: unknown, _, schemas) =>
    !Array.isArray(value) || value.every((one) => fits(item, one, schemas)),
  properties: (known: Record<string, Schema>, value: unknown, _, schemas) =>
    !isObject(value) ||
    Object.entries(known).every(
      ([name, one]) => !Object.hasOwn(value, name) || fits(one, value[name], schemas),
    ),
  additionalProperties: (rest: boolean | Schema, value: unknown, schema, schemas) =>
    !isObject(value) ||
    restOf(value, schema).every(([, one]) => rest === true || (rest && fits(rest, one, schemas))),
  patternProperties: (rules: Record<string, Schema>, value: unknown, _, schemas) =>
    !isObject(value) ||
    Object.entries(rules).every(([pattern, one]) =>
      Object.entries(value).every(
        ([name, its]) => !new RegExp(pattern, 'u').test(name) || fits(one, its, schemas),
      ),
    ),
}

/**
 * Whether a value is what a schema of our OpenAPI document says. It is stricter than JSON Schema: an
 * object has no members that the document does not name, and an unknown word is an error.
 */
export function fits(schema: Schema, value: unknown, schemas: Schemas): boolean {
  const isComplete = 'additionalProperties' in schema || !('properties' in schema)
  if (!isComplete && isObject(value) && restOf(value, schema).length > 0) return false
  return Object.entries(schema).every(([word, rule]) => {
    if (SAYS.includes(word)) return true
    const check = WORDS[word] ?? unknownWord(word)
    return check(rule as never, value as never, schema, schemas)
  })
}

function restOf(value: Record<string, unknown>, schema: Schema) {
  const { properties = {}, patternProperties = {} } = schema as Record<string, object>
  const patterns = Object.keys(patternProperties).map((pattern) => new RegExp(pattern, 'u'))
  return Object.entries(value).filter(
    ([name]) => !Object.hasOwn(properties, name) && !patterns.some((one) => one.test(name)),
  )
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

function unknownWord(word: string): never {
  throw new Error(`The document uses ${word}, which these tests do not know.`)
}

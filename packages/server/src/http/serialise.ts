import type { TSchema } from '@sinclair/typebox'
import { isObject } from '../kernel/json-object.ts'

/** Returns a value as JSON, or `MISFIT` if the value does not fit the schema. */
type Write = (value: unknown) => string | typeof MISFIT

const MISFIT = Symbol('misfit')

/**
 * Makes the JSON of an answer. It contains only what the schema names, so no other column of a row
 * can leak. An answer that does not fit its schema is a bug.
 */
export function serialiserOf(schema: TSchema): (answer: unknown) => string {
  const write = writerOf(schema)
  return (answer) => {
    const text = write(answer)
    if (text === MISFIT) throw new Error('An answer does not fit its schema.')
    return text
  }
}

function writerOf(schema: TSchema): Write {
  if (schema.anyOf) return firstThatFits(schema.anyOf.map(writerOf))
  if ('const' in schema) {
    const text = JSON.stringify(schema.const)
    return (value) => (value === schema.const ? text : MISFIT)
  }
  switch (schema.type) {
    case 'object':
      return schema.patternProperties ? recordOf(schema) : objectOf(schema)
    case 'array':
      return arrayOf(writerOf(schema.items))
    case 'string':
      return (value) => (typeof value === 'string' ? quoted(value) : MISFIT)
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? String(value) : MISFIT)
    case 'integer':
      return (value) => (Number.isSafeInteger(value) ? String(value) : MISFIT)
    case 'number':
      return (value) => (Number.isFinite(value) ? String(value) : MISFIT)
    case 'null':
      return (value) => (value === null ? 'null' : MISFIT)
    default:
      throw new Error(`No answer can have the type ${schema.type}.`)
  }
}

/**
 * Characters that JSON may have to escape. Lone surrogates are escaped, so every surrogate is
 * included.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them
const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/

/** Most texts need no escaping, and checking that is cheaper than `JSON.stringify`. */
const quoted = (text: string): string => (SPECIAL.test(text) ? JSON.stringify(text) : `"${text}"`)

const firstThatFits =
  (writers: readonly Write[]): Write =>
  (value) => {
    for (const write of writers) {
      const text = write(value)
      if (text !== MISFIT) return text
    }
    return MISFIT
  }

/** An object. Only the members that the schema names are sent. */
function objectOf({ properties, required = [] }: TSchema): Write {
  const members = Object.entries<TSchema>(properties).map(([name, schema]) => ({
    name,
    key: `${quoted(name)}:`,
    write: writerOf(schema),
    isRequired: required.includes(name),
  }))
  return (value) => {
    if (!isObject(value)) return MISFIT
    let text = ''
    for (const { name, key, write, isRequired } of members) {
      const member = value[name]
      if (member === undefined && !isRequired) continue
      const written = write(member)
      if (written === MISFIT) return MISFIT
      text += text === '' ? key + written : `,${key}${written}`
    }
    return `{${text}}`
  }
}

/** An object whose members may have any name. */
function recordOf({ patternProperties }: TSchema): Write {
  const [schema] = Object.values<TSchema>(patternProperties)
  if (!schema) throw new Error('The schema of a record must describe its members.')
  const write = writerOf(schema)
  return (value) => {
    if (!isObject(value)) return MISFIT
    const texts: string[] = []
    for (const [name, member] of Object.entries(value)) {
      const written = write(member)
      if (written === MISFIT) return MISFIT
      texts.push(`${quoted(name)}:${written}`)
    }
    return `{${texts.join()}}`
  }
}

const arrayOf =
  (write: Write): Write =>
  (value) => {
    if (!Array.isArray(value)) return MISFIT
    const texts: string[] = []
    for (const item of value) {
      const written = write(item)
      if (written === MISFIT) return MISFIT
      texts.push(written)
    }
    return `[${texts.join()}]`
  }

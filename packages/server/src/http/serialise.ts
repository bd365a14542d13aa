import type { TSchema } from '@sinclair/typebox'
import { isObject } from '../kernel/json-object.ts'

/** Returns the part of a value that is sent, or `MISFIT` if the value does not fit the schema. */
type Pick = (value: unknown) => unknown

const MISFIT = Symbol('misfit')

/**
 * Makes the JSON of an answer. It contains only what the schema names, so no other column of a row
 * can leak. An answer that does not fit its schema is a bug.
 */
export function serialiserOf(schema: TSchema): (answer: unknown) => string {
  const pick = pickBy(schema)
  return (answer) => {
    const picked = pick(answer)
    if (picked === MISFIT) throw new Error('An answer does not fit its schema.')
    return JSON.stringify(picked)
  }
}

function pickBy(schema: TSchema): Pick {
  if (schema.anyOf) return firstThatFits(schema.anyOf.map(pickBy))
  if ('const' in schema) return (value) => (value === schema.const ? value : MISFIT)
  switch (schema.type) {
    case 'object':
      return schema.patternProperties ? recordOf(schema) : objectOf(schema)
    case 'array':
      return arrayOf(pickBy(schema.items))
    case 'string':
    case 'boolean':
      return (value) => (typeof value === schema.type ? value : MISFIT)
    case 'integer':
      return (value) => (Number.isSafeInteger(value) ? value : MISFIT)
    case 'number':
      return (value) => (Number.isFinite(value) ? value : MISFIT)
    case 'null':
      return (value) => (value === null ? value : MISFIT)
    default:
      throw new Error(`No answer can have the type ${schema.type}.`)
  }
}

const firstThatFits =
  (picks: readonly Pick[]): Pick =>
  (value) => {
    for (const pick of picks) {
      const picked = pick(value)
      if (picked !== MISFIT) return picked
    }
    return MISFIT
  }

/** An object. Only the members that the schema names are sent. */
function objectOf({ properties, required = [] }: TSchema): Pick {
  const members = Object.entries<TSchema>(properties).map(([name, schema]) => ({
    name,
    pick: pickBy(schema),
    isRequired: required.includes(name),
  }))
  return (value) => {
    if (!isObject(value)) return MISFIT
    const picked: Record<string, unknown> = {}
    for (const { name, pick, isRequired } of members) {
      const member = value[name]
      if (member === undefined && !isRequired) continue
      const of = pick(member)
      if (of === MISFIT) return MISFIT
      picked[name] = of
    }
    return picked
  }
}

/** An object whose members may have any name. */
function recordOf({ patternProperties }: TSchema): Pick {
  const [schema] = Object.values<TSchema>(patternProperties)
  if (!schema) throw new Error('The schema of a record must describe its members.')
  const pick = pickBy(schema)
  return (value) => {
    if (!isObject(value)) return MISFIT
    const entries = Object.entries(value).map(([name, member]) => [name, pick(member)] as const)
    if (entries.some(([, picked]) => picked === MISFIT)) return MISFIT
    return Object.fromEntries(entries)
  }
}

const arrayOf =
  (pick: Pick): Pick =>
  (value) => {
    if (!Array.isArray(value)) return MISFIT
    const picked = value.map(pick)
    return picked.includes(MISFIT) ? MISFIT : picked
  }

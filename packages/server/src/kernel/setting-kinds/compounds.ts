import { isObject, parseJson } from '../json-object.ts'
import {
  collect,
  inside,
  type Kind,
  kind,
  MASK,
  type Parsed,
  type ReadBy,
  type WrittenFor,
  wrongValue,
} from './kind.ts'
import { text } from './scalars.ts'

const NONE = 'none'
const NOTHING: readonly unknown[] = [null, '', NONE, 'null']

const isNothing = (input: unknown): boolean =>
  NOTHING.includes(typeof input === 'string' ? input.trim().toLowerCase() : input)

/** A value of the given kind, or `null`. */
export const optional = <T, Input>(
  of: Kind<T, Input>,
): Kind<T | null, Input | null | typeof NONE> => ({
  ...of,
  expected: `${of.expected}, or ${NONE}`,
  parse: (input) => (isNothing(input) ? { value: null } : of.parse(input)),
  show: (value) => (value === null ? NONE : of.show(value)),
})

export const optionalText = optional(text)

/** A value that is never printed, whether it is accepted or refused. */
export const secret = <T, Input>(of: Kind<T, Input>): Kind<T, Input> => ({
  ...of,
  secret: true,
  show: () => MASK,
})

export const secretText = secret(text)

/** A list without duplicates: a JSON array, or text with commas. */
export function list<T, Input>(
  of: Kind<T, Input>,
  { least = 0 } = {},
): Kind<readonly T[], readonly Input[]> {
  const expected = `a list${least > 0 ? ' that is not empty' : ''}, each: ${of.expected}`
  return {
    expected,
    secret: of.secret,
    record: false,
    parse(input) {
      const items = isNothing(input) ? [] : toItems(input)
      if (!items || items.length < least) return wrongValue(input, expected)
      const parsed = collect(items.map((item) => of.parse(item)))
      return 'value' in parsed ? { value: [...new Set(parsed.value)] } : parsed
    },
    show: (values) => (values.length === 0 ? NONE : values.map((one) => of.show(one)).join(',')),
  }
}

type Kinds = Readonly<Record<string, Kind<unknown>>>
type Values<K extends Kinds> = {
  readonly [Key in keyof K]?: ReadBy<K[Key]>
}
type Inputs<K extends Kinds> = {
  readonly [Key in keyof K]?: WrittenFor<K[Key]> | undefined
}

/**
 * An object with known keys, each of its own kind: JSON, or text that is JSON. `complete` fills in
 * the missing keys.
 */
export function record<K extends Kinds, T extends object>(
  kinds: K,
  complete: (given: Values<K>) => T,
): Kind<T, Inputs<K>> {
  const byKey = new Map<string, Kind<unknown>>(Object.entries(kinds))
  const expected = `an object with no other keys than ${[...byKey.keys()].join(', ')}`

  const parseKey = (key: string, value: unknown): Parsed<readonly [string, unknown]> => {
    const parsed = byKey.get(key)?.parse(value)
    if (!parsed) return wrongValue(key, expected)
    return 'value' in parsed ? { value: [key, parsed.value] } : inside(key, parsed)
  }

  return {
    expected,
    secret: false,
    record: true,
    parse(input) {
      const object = toObject(input)
      if (!object) return wrongValue(input, expected)
      const parsed = collect(Object.entries(object).map(([key, value]) => parseKey(key, value)))
      if ('mistakes' in parsed) return parsed
      // Every value was parsed by the kind of its key. The compiler cannot see that.
      return { value: complete(Object.fromEntries(parsed.value) as Values<K>) }
    },
    show: (value) =>
      JSON.stringify(
        Object.fromEntries(Object.entries(value).map(([k, v]) => [k, byKey.get(k)?.show(v)])),
      ),
  }
}

/** An object whose keys are free names and whose values all pass `isValue`. */
function named<Value, Input>(
  expected: string,
  name: RegExp,
  isValue: (value: unknown) => value is Value,
): Kind<Readonly<Record<string, Value>>, Input> {
  const read = (input: unknown) => {
    const object = toObject(input)
    if (!object) return undefined
    // Has no prototype, so that looking up `constructor` finds nothing.
    const found: Record<string, Value> = Object.create(null)
    for (const [key, value] of Object.entries(object)) {
      if (!name.test(key) || !isValue(value)) return undefined
      found[key] = value
    }
    return found
  }
  return { ...kind(expected, read, (value) => JSON.stringify(value)), record: true }
}

export type NamedObjects = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export const namedObjects = <Input = NamedObjects>(
  expected: string,
  name: RegExp,
): Kind<NamedObjects, Input> => named(expected, name, isObject)

export type NamedTexts = Readonly<Record<string, string>>

export const namedTexts = (expected: string, name: RegExp): Kind<NamedTexts> =>
  named(expected, name, (value) => typeof value === 'string')

/** Reads an object, or JSON text of one. Undefined values are dropped. */
export function toObject(input: unknown): Record<string, unknown> | undefined {
  const value = typeof input === 'string' ? parseJson(input) : input
  return isObject(value) ? withoutUndefined(value) : undefined
}

export const withoutUndefined = (object: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))

function toItems(input: unknown): readonly unknown[] | undefined {
  if (Array.isArray(input)) return input
  if (typeof input !== 'string') return undefined
  if (!input.trimStart().startsWith('[')) {
    return input.split(',').flatMap((item) => item.trim() || [])
  }
  const value = parseJson(input)
  return Array.isArray(value) ? value : undefined
}

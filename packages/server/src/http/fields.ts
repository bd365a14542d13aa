import { isObject } from '../kernel/json-object.ts'
import { EMAIL_MAX, isEmail, isUsername, normalizeUsername, USERNAME_MAX } from '../kernel/names.ts'
import { type Fault, fault, fieldProblem, problem } from '../kernel/problems.ts'

/** The fields of a request body: how each is read, and how it is described in OpenAPI. */
export type Field<T> = {
  optional: boolean
  schema: Record<string, unknown>
  /** A value, or what is wrong with it. */
  read(input: unknown): { value: T } | { faults: Fault[] }
}

export type Fields = Record<string, Field<unknown>>

export type BodyOf<F extends Fields> = {
  [Name in keyof F]: F[Name] extends Field<infer T> ? T : never
}

type TextOptions = {
  /** In characters. Of the text as it was sent, before anything else is done to it. */
  max: number
  /** For a field that has words of its own for what cannot be one. */
  tooLong?: Fault
  /** Passwords, keys and tokens are taken exactly as sent. */
  trim?: boolean
  mayBeBlank?: boolean
  /** Before the checks: what is checked, and counted once more, is what will be stored. */
  normalize?: (text: string) => string
  check?: (text: string) => Fault[]
  schema?: Record<string, unknown>
}

export function text({
  max,
  tooLong = fault('too_long', { max }),
  trim = true,
  mayBeBlank = false,
  normalize = (value) => value,
  check,
  schema,
}: TextOptions): Field<string> {
  return {
    optional: false,
    schema: { type: 'string', maxLength: max, ...schema },
    read(input) {
      if (input === null) return { faults: [fault('null')] }
      if (typeof input !== 'string') return { faults: [fault('not_a_string')] }
      // Nothing else is said of a text that is too long: whatever looked at it would cost more
      // than the text did.
      if (isLonger(input, max)) return { faults: [tooLong] }
      const value = normalize(trim ? input.trim() : input)
      if (value === '') return mayBeBlank ? { value } : { faults: [fault('blank')] }
      const faults = [
        ...charactersOf(value),
        ...(isLonger(value, max) ? [tooLong] : []),
        ...(check?.(value) ?? []),
      ]
      return faults.length > 0 ? { faults } : { value }
    },
  }
}

export const email = (options: Pick<TextOptions, 'mayBeBlank'> = {}): Field<string> =>
  text({
    ...options,
    max: EMAIL_MAX,
    schema: { format: 'email' },
    check: (value) => (isEmail(value) ? [] : [fault('invalid_email')]),
  })

export const username = (options: Pick<TextOptions, 'mayBeBlank'> = {}): Field<string> =>
  text({
    ...options,
    max: USERNAME_MAX,
    normalize: normalizeUsername,
    check: (value) => (isUsername(value) ? [] : [fault('username_invalid')]),
  })

/** Whoever is to be found by it: a username, or an address in its place. */
export const identifier = (): Field<string> => text({ max: EMAIL_MAX, mayBeBlank: true })

/** More than anybody types; no scheme for storing passwords costs more for it. */
const TYPED_PASSWORD_MAX = 4096
export const password = ({ max = TYPED_PASSWORD_MAX } = {}): Field<string> =>
  text({ max, trim: false, schema: { format: 'password' } })

/** A token or a key: taken exactly as it is sent. */
export const SECRET_MAX = 4096
export const secret = (example?: string): Field<string> =>
  text({ max: SECRET_MAX, trim: false, ...(example && { schema: { examples: [example] } }) })

/** Typed by people, in groups and with gaps; longer than any code that is handed out. */
const CODE_MAX = 64
export const code = (): Field<string> => text({ max: CODE_MAX })

/**
 * A JSON object, or what was sent instead: to say what is wrong with it is for the service. Forms
 * cannot carry an object, so a text that is JSON is read.
 */
export const json = (): Field<unknown> => ({
  optional: false,
  schema: { type: 'object' },
  read: (input) => (input === null ? { faults: [fault('null')] } : { value: parsed(input) }),
})

function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

/** A field that may be left out; then its value is undefined. */
export const optional = <T>(field: Field<T>): Field<T | undefined> => ({ ...field, optional: true })

/** Null and blank count as not sent. */
export const orNothing = (field: Field<string>): Field<string | undefined> => ({
  ...field,
  optional: true,
  read: (input) => (input === null || input === '' ? { value: undefined } : field.read(input)),
})

/** The values that are fine, and everything that is wrong with the others. */
export type FieldsRead<F extends Fields> = {
  values: Partial<BodyOf<F>>
  faults: Record<string, readonly Fault[]>
}

/** All fields are read, so that everything that is wrong can be told at once. */
export function inspectFields<F extends Fields>(fields: F, body: unknown): FieldsRead<F> {
  if (!isObject(body)) throw problem('not_an_object', { got: nameOfType(body) })
  const values: Record<string, unknown> = {}
  const faults: Record<string, readonly Fault[]> = {}
  for (const [name, field] of Object.entries(fields)) {
    // Own keys only: `constructor` and the like are data, never structure.
    if (!Object.hasOwn(body, name)) {
      if (!field.optional) faults[name] = [fault('required')]
      continue
    }
    const result = field.read(body[name])
    if ('faults' in result) faults[name] = result.faults
    else values[name] = result.value
  }
  return { values: values as Partial<BodyOf<F>>, faults }
}

/** The whole body, or a refusal that names every fault. */
export const readFields = <F extends Fields>(fields: F, body: unknown): BodyOf<F> =>
  bodyOrRefusal(inspectFields(fields, body))

export function bodyOrRefusal<F extends Fields>({ values, faults }: FieldsRead<F>): BodyOf<F> {
  if (Object.keys(faults).length > 0) throw fieldProblem(faults)
  return values as BodyOf<F>
}

/** In the words of the original, which is written in Python. */
function nameOfType(value: unknown): string {
  if (value === null) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return 'str'
}

function charactersOf(value: string): Fault[] {
  const faults = value.includes('\0') ? [fault('null_characters')] : []
  if (value.isWellFormed()) return faults
  const lone = /\p{Surrogate}/u.exec(value)?.[0].charCodeAt(0) ?? 0
  return [...faults, fault('surrogate_characters', { codePoint: lone.toString(16).toUpperCase() })]
}

/** Characters as people count them: by code points, which are counted only where it matters. */
function isLonger(value: string, max: number): boolean {
  if (value.length <= max) return false
  return value.length > 2 * max || [...value].length > max
}

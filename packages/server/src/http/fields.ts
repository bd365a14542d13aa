import { isObject } from '../kernel/json-object.ts'
import { EMAIL_MAX, SECRET_MAX, USERNAME_MAX } from '../kernel/lengths.ts'
import { isEmail, isUsername, normalizeUsername } from '../kernel/names.ts'
import { type Fault, fault, fieldProblem, problem } from '../kernel/problems.ts'
import { nameOfType, type Read, readText, type TextRules } from '../kernel/texts.ts'
import { languageFor } from '../kernel/words/negotiate.ts'
import { refuseExcess } from './body-limits.ts'
import { formItems, textOfNumber } from './body-values.ts'

/** A field of a request body: how it is read, and how OpenAPI describes it. */
export type Field<T> = {
  optional: boolean
  /** Whether it takes all values of a form with its name. */
  isList?: boolean
  schema: Record<string, unknown>
  /** Further faults for the documents, which find the others by trying wrong values. */
  faults?: readonly Fault[]
  /** Returns the value, or its faults. */
  read(input: unknown): Read<T>
}

export type Fields = Record<string, Field<unknown>>

export type BodyOf<F extends Fields> = {
  [Name in keyof F]: F[Name] extends Field<infer T> ? T : never
}

export const text = ({
  schema,
  ...rules
}: TextRules & { schema?: Record<string, unknown> }): Field<string> => ({
  optional: false,
  schema: { type: 'string', maxLength: rules.max, ...schema },
  read: (input) => (input === null ? { faults: [fault('null')] } : readText(input, rules)),
})

export const email = (options: Pick<TextRules, 'mayBeBlank'> = {}): Field<string> =>
  text({
    ...options,
    max: EMAIL_MAX,
    schema: { format: 'email' },
    check: (value) => (isEmail(value) ? [] : [fault('invalid_email')]),
  })

export const username = (options: Pick<TextRules, 'mayBeBlank'> = {}): Field<string> =>
  text({
    ...options,
    max: USERNAME_MAX,
    normalize: normalizeUsername,
    check: (value) => (isUsername(value) ? [] : [fault('username_invalid')]),
  })

/** A username or an address that identifies a user. */
const identifier = (): Field<string> => text({ max: EMAIL_MAX, mayBeBlank: true })

/** Longer than any password that people type, and short enough for every hash scheme. */
const TYPED_PASSWORD_MAX = 4096
export const password = ({ max = TYPED_PASSWORD_MAX } = {}): Field<string> =>
  text({ max, trim: false, schema: { format: 'password' } })

export const secret = (example?: string): Field<string> =>
  text({ max: SECRET_MAX, trim: false, ...(example && { schema: { examples: [example] } }) })

/** Longer than any code of the service, since people type codes in groups with gaps. */
const CODE_MAX = 64
export const code = (): Field<string> => text({ max: CODE_MAX })

const SESSION_ID = /^[0-9a-f]{32}$/i
/** Longer than an id, with room for blanks. */
const SESSION_ID_MAX = 64
/** The `session_id` of a login or ceremony that is now completed. */
export const sessionId = (): Field<string> =>
  text({
    max: SESSION_ID_MAX,
    tooLong: fault('wrong_pattern'),
    normalize: (value) => value.toLowerCase(),
    schema: { pattern: SESSION_ID.source },
    check: (value) => (SESSION_ID.test(value) ? [] : [fault('wrong_pattern')]),
  })

/**
 * A JSON object. Anything else is passed on, and the service reports what is wrong. Forms cannot
 * contain an object, so text that is JSON is parsed.
 */
export const json = (): Field<unknown> => ({
  optional: false,
  schema: { type: 'object' },
  read: (input) => (input === null ? { faults: [fault('null')] } : { value: parsed(input) }),
})

function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return refuseExcess(JSON.parse(input))
  } catch {
    return input
  }
}

/** A field that may be missing; its value is then undefined. */
export const optional = <T>(field: Field<T>): Field<T | undefined> => ({ ...field, optional: true })

/** Who logs in. The settings decide which of the two counts. */
export const nameFields = {
  username: optional(identifier()),
  email: optional(email({ mayBeBlank: true })),
}

/** Null and blank are treated as missing. */
export const orNothing = <T>(field: Field<T>): Field<T | undefined> => ({
  ...field,
  optional: true,
  read: (input) => (input === null || input === '' ? { value: undefined } : field.read(input)),
})

/** The values without faults, and the faults of all others. */
type FieldsRead<F extends Fields> = {
  values: Partial<BodyOf<F>>
  faults: Record<string, readonly Fault[]>
}

/** Reads all fields, so that all faults are reported at once. */
export function inspectFields<F extends Fields>(fields: F, body: unknown): FieldsRead<F> {
  if (!isObject(body)) throw problem('not_an_object', { got: nameOfType(body) })
  const values: Record<string, unknown> = {}
  const faults: Record<string, readonly Fault[]> = {}
  for (const [name, field] of Object.entries(fields)) {
    const input = (field.isList && formItems(body, name)) || valueIn(body, name)
    if (input === undefined) {
      if (!field.optional) faults[name] = [fault('required')]
      continue
    }
    const result = field.read(input)
    if ('faults' in result) faults[name] = result.faults
    else values[name] = result.value
  }
  return { values: values as Partial<BodyOf<F>>, faults }
}

/**
 * Own keys only, so that `constructor` and the like are ordinary names. A number becomes its text,
 * which every kind of field can read.
 */
function valueIn(body: Record<string, unknown>, name: string): unknown {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  return typeof value === 'number' ? textOfNumber(body, name, value) : value
}

/** Returns the whole body, or throws a refusal with all faults. */
export const readFields = <F extends Fields>(fields: F, body: unknown): BodyOf<F> =>
  bodyOrRefusal(inspectFields(fields, body))

export function bodyOrRefusal<F extends Fields>({ values, faults }: FieldsRead<F>): BodyOf<F> {
  if (Object.keys(faults).length > 0) throw fieldProblem(faults)
  return values as BodyOf<F>
}

/** Longer than any tag of a language. */
const LANGUAGE_MAX = 35

/**
 * One of the languages that the service offers, or a tag that means one of them, such as that of a
 * browser: `de-AT` means `de`.
 */
export const language = (offered: readonly string[]): Field<string> =>
  text({
    max: LANGUAGE_MAX,
    normalize: (given) => languageFor(given, offered) ?? given,
    check: (value) => (offered.includes(value) ? [] : [fault('not_a_choice', { input: value })]),
    schema: { enum: offered },
  })

/** How much of a wrong scope the fault repeats. */
const QUOTED_MAX = 64

/** What a key may do: at least one of these scopes. */
export const scopesOf = <Scope extends string>(
  known: readonly Scope[],
): Field<readonly Scope[]> => ({
  optional: false,
  isList: true,
  schema: { type: 'array', items: { type: 'string', enum: known }, minItems: 1 },
  faults: [fault('not_a_choice', { input: 'x' }), fault('not_a_list', { got: 'str' })],
  read(input) {
    if (!Array.isArray(input)) return { faults: [fault('not_a_list', { got: nameOfType(input) })] }
    if (input.length === 0) return { faults: [fault('blank')] }
    const wrong = input.find((one) => !known.includes(one))
    if (wrong === undefined) return { value: [...new Set(input as Scope[])] }
    const got = typeof wrong === 'string' ? wrong.slice(0, QUOTED_MAX) : nameOfType(wrong)
    return { faults: [fault('not_a_choice', { input: got })] }
  },
})

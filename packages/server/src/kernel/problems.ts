import { isObject } from './json-object.ts'
import { codeInBody } from './problem-row.ts'
import { problems } from './problem-table.ts'
import { type Attribute, ENGLISH, type Language } from './words/english.ts'
import { fill, type Values, type ValuesOf } from './words/text.ts'

type Problems = typeof problems
export type ProblemCode = keyof Problems
type NeededBy<C extends ProblemCode> = ValuesOf<Problems[C]['words']>
export type ParamsOf<C extends ProblemCode> = keyof NeededBy<C> extends never
  ? []
  : [values: NeededBy<C>]

/** The codes of the problems at this place whose text has no parameters. */
type CodesWithoutParams<At> = {
  [C in ProblemCode]: [Problems[C]['at'], ParamsOf<C>] extends [At, []] ? C : never
}[ProblemCode]

/** What can be wrong with a field. The caller names the field. */
export type FaultCode = CodesWithoutParams<'field'>
/** Problems whose body is always the same. */
export type PlainProblemCode = Exclude<CodesWithoutParams<string>, FaultCode>

/** One thing that is wrong. It becomes a text when the language of the answer is known. */
export class Fault {
  readonly code: ProblemCode
  readonly values: Values
  /** The part of the field that it is about, such as a key of an object. */
  readonly part: string | null

  constructor(code: ProblemCode, values: Values = {}, part: string | null = null) {
    this.code = code
    this.values = values
    this.part = part
  }

  /** In English, for operators. */
  get text(): string {
    return this.textIn(ENGLISH)
  }

  textIn(language: Language): string {
    const text = textOf(this, language)
    return this.part === null ? text : `${this.part}: ${text}`
  }
}

function textOf({ code, values }: Fault, { code: language, words }: Language): string {
  // A hook or a rule of the host says its own words. All others are ours.
  if (code === 'refused_by_host') return String(values.words)
  const { attribute } = values
  // An attribute is itself a word.
  const worded = attribute !== undefined && { attribute: words.attributes[attribute as Attribute] }
  return fill(words.answers[code], { ...values, ...worded }, language)
}

export const fault = <C extends ProblemCode>(code: C, ...[values]: ParamsOf<C>): Fault =>
  new Fault(code, values)

/**
 * A refusal. Any code may throw one, and `http/error-handler.ts` turns it into an answer. It is in
 * the kernel, so that services and adapters refuse in the same words.
 */
export class Problem extends Error {
  readonly status: number
  /** Faults stand where the answer has their texts. */
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Record<string, string> = {}
  /** True if the reason is already in the log. */
  isLogged = false

  constructor(status: number, body: Readonly<Record<string, unknown>>, message: string) {
    super(message)
    this.status = status
    this.body = body
  }

  /** The body as the reader gets it. */
  bodyIn(language: Language = ENGLISH): Record<string, unknown> {
    return worded(this.body, language) as Record<string, unknown>
  }

  /** The codes of its faults, under the keys that the body has their texts under. */
  codes(): Record<string, ProblemCode[]> {
    const all = Object.entries(this.body).map(([key, value]) => [key, codesIn(value)] as const)
    return Object.fromEntries(all.filter(([, codes]) => codes.length > 0))
  }

  with(header: string, value: string | number): this {
    this.headers[header] = String(value)
    return this
  }

  logged(): this {
    this.isLogged = true
    return this
  }
}

/** The same value, with texts instead of faults. */
function worded(value: unknown, language: Language): unknown {
  if (value instanceof Fault) return value.textIn(language)
  if (Array.isArray(value)) return value.map((one) => worded(one, language))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, worded(one, language)]))
}

function codesIn(value: unknown): ProblemCode[] {
  if (value instanceof Fault) return [value.code]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(codesIn) : []
}

export function problem<C extends ProblemCode>(code: C, ...params: ParamsOf<C>): Problem {
  const { status, at } = problems[code]
  const found = fault(code, ...params)
  const body = { [at]: at === 'detail' ? found : [found], ...codeInBody(code, problems[code]) }
  return new Problem(status, body, code)
}

/**
 * What can be wrong with a JSON Web Token. Some endpoints add a code to the body, others do not.
 */
export const tokenFaults = [
  'token_invalid',
  'token_expired',
  'token_wrong_type',
  'token_blacklisted',
] as const
export type TokenFault = (typeof tokenFaults)[number]

export function tokenNotValid(code: TokenFault): Problem {
  const { status, body } = problem(code)
  return new Problem(status, { ...body, code: 'token_not_valid' }, code)
}

export function accessTokenNotValid(code: TokenFault): Problem {
  const { status, body } = problem('access_token_not_valid')
  const messages = [{ token_class: 'AccessToken', token_type: 'access', message: fault(code) }]
  return new Problem(status, { ...body, messages }, code)
}

/** One problem with all faults of all fields of a request. */
export function fieldProblem(faults: Record<string, readonly Fault[]>): Problem {
  const codes = Object.entries(faults).map(([name, list]) => `${name}: ${list.map((f) => f.code)}`)
  return new Problem(400, faults, codes.join('; '))
}

export const throttled = (seconds: number): Problem =>
  problem('throttled', { seconds }).with('Retry-After', seconds)

export const unavailable = (seconds = 5): Problem =>
  problem('unavailable').with('Retry-After', seconds)

/** For `catch`: a refusal becomes null. An outage is thrown again, since it refuses nothing. */
export function nullIfRefused(error: unknown): null {
  if (error instanceof Problem && error.status < 500) return null
  throw error
}
